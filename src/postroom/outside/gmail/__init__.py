"""Gmail over its REST API, told of changes through Cloud Pub/Sub."""
