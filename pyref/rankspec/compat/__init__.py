"""rankspec behind the interfaces of other libraries, one module a library.

Each is imported by its own name and needs its library only where it says so:

    from rankspec.compat.pytrec_eval import RelevanceEvaluator
    import rankspec.compat.ir_measures
"""
