"""Places, diagnostics, codes, numbers of clauses, the cache: what knows neither rule nor tree."""
