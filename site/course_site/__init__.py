"""Makes the course's site: `make site` writes it into `site/_build`.

`stage` puts the source of the site together: the notebooks and `docs/` as they are, and pages that are made from the
catalogue, the corpus, the museum and the imports. Sphinx then makes the site, as `site/conf.py` says. Nothing is
written twice, and no notebook is executed.

- `stage`: what there is, and where it goes. `lessons`, `predictions`: a notebook as a page.
- `misconception_pages`, `indexes`, `museum_page`: the encyclopedia, and the bugs that happened.
- `evidence_pages`: the claims and how they were decided, and the benchmarks. `api_pages`: the public functions.
- `rooms`: the drawing of the package's rooms. `cards`: the judge's cards, without their style sheet.
- `repository_links`, `mathml`, `libraries`: links to other files, formulas, links to torch and NumPy.
"""
