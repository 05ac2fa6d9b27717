"""The functions of `skerry.generators` as functions that describe a graph and make no edges."""

from __future__ import annotations

from skerry.generators import families, known_labels, models
from skerry.generators.builder import Recipe as Recipe

grid = families.grid.recipe
torus = families.torus.recipe
path = families.path.recipe
star = families.star.recipe
complete = families.complete.recipe
uniform = families.uniform.recipe
random_picks = families.random_picks.recipe
ring = families.ring.recipe
rmat = families.rmat.recipe
rmat_of = families.rmat_of.recipe
graph500 = families.graph500.recipe
graph500_reference = families.graph500_reference.recipe
delaunay = families.delaunay.recipe
geometric = families.geometric.recipe
road = models.road.recipe
web = models.web.recipe
preferential_attachment = models.preferential_attachment.recipe
profile = models.profile.recipe
mawi = models.mawi.recipe
tiny = known_labels.tiny.recipe
planted = known_labels.planted.recipe
