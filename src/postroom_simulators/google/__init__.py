"""Gmail, Google's OAuth and Pub/Sub, simulated on real HTTP."""

from postroom_simulators.google.sim import GoogleSim

__all__ = ["GoogleSim"]
