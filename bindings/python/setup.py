# SPDX-License-Identifier: Apache-2.0
"""Not possible in pyproject.toml: a wheel that includes the C library is for one platform.

Without a libcleave.so* in cleave/ the wheel is pure Python, py3-none-any.  With it the tag is
py3-none-PLATFORM: any Python 3, because the library is loaded by ctypes.
"""
import glob
import os

from setuptools import Distribution, setup

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
BUNDLED = bool(glob.glob(os.path.join(HERE, "cleave", "libcleave.so*")))


class OneLibrary(Distribution):
    """Is installed as a compiled package if the library is bundled."""

    def has_ext_modules(self):
        return BUNDLED


class PlatformWheel(bdist_wheel):
    """Depends on the platform when the library is bundled, never on the version of Python."""

    def get_tag(self):
        python, abi, platform = super().get_tag()
        return ("py3", "none", platform) if BUNDLED else (python, abi, platform)


setup(distclass=OneLibrary, cmdclass={"bdist_wheel": PlatformWheel})
