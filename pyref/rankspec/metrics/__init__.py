"""What a metric is: a chapter a module; how measures are written; the catalogue of all."""
