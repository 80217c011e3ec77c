"""How near two texts are in meaning, by the network all-MiniLM-L6-v2. Needs numpy and the weights' package."""
