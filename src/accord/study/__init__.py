"""One control in coded form: what every coefficient works on."""

from accord.study.choose import study_of
from accord.study.coded import Study, compact, occurring, pick

__all__ = ["Study", "compact", "occurring", "pick", "study_of"]
