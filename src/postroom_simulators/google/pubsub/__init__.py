"""The simulated Pub/Sub: topics, subscriptions, push and pull."""
