from __future__ import annotations

from hypothesis import HealthCheck, settings

# A busy machine is slow, not wrong: how long an example takes says nothing about the code.
settings.register_profile("doublesix", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("doublesix")
