from setuptools import setup

setup(cffi_modules=["build_ext.py:ffibuilder"])
