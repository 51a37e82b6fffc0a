#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# vtk_meshio.sh CLEAVE - meshio reads the same mesh, parts and weights from every kind of VTK
# file.
set -eu
cleave=$1
python3=/usr/bin/python3
if ! $python3 -c 'import meshio' 2>/dev/null; then
    echo "skipped: python3-meshio is not installed"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
"$cleave" generate grid2d:9x7 -o plain.graph --coords plain.coords >/dev/null
# Weights, two per vertex, and a vertex without edges.
awk 'NR == 1 { print $1 + 1, $2, "010 2"; next } { print NR - 2, 5, $0 } END { print 99, 5 }' \
    plain.graph >grid.graph
{ cat plain.coords; echo "-1.5 1e-3"; } >grid.coords
"$cleave" partition grid.graph -k 3 --imbalance 0.9 -o grid.part >/dev/null
"$cleave" order grid.graph -o grid.order >/dev/null
for encoding in ascii raw; do
    "$cleave" convert grid.graph grid.$encoding.vtk --part grid.part --order grid.order \
        --encoding $encoding
done
for encoding in ascii base64 raw; do
    "$cleave" convert grid.graph grid.$encoding.vtu --part grid.part --order grid.order \
        --encoding $encoding
done
printf '3\n1 2 5 4\n2 3 6 5\n4 5 7\n' >flat.mesh
printf '0 0\n1 0\n2 0\n0 1\n1 1\n2 1\n.5 2\n' >flat.coords
printf '2\n0\n1\n' >flat.part
printf '2\n1 2 3 4 5 6 7 8\n5 6 7 9\n' >solid.mesh
printf '0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n.5 .5 2\n' >solid.coords
printf '0\n1\n' >solid.part
for name in flat solid; do
    "$cleave" convert $name.mesh $name.vtu --part $name.part
    "$cleave" convert $name.mesh $name.vtk --part $name.part
done
cat >judge.py <<'END'
import glob
import meshio
import numpy as np

part = np.loadtxt("grid.part", dtype=int)
place = np.empty(64, dtype=int)
place[np.loadtxt("grid.order", dtype=int, comments="%")[:, 0]] = np.arange(64)
points = np.zeros((64, 3))
points[:, :2] = np.loadtxt("grid.coords")
edges = set()
for v, line in enumerate(open("grid.graph").read().split("\n")[1:65]):
    edges |= {(v, int(u) - 1) for u in line.split()[2:] if int(u) - 1 > v}
files = sorted(glob.glob("grid.*.vt?"))
assert len(files) == 5, files
for name in files:
    m = meshio.read(name)
    assert np.array_equal(m.points, points), name
    assert np.array_equal(np.ravel(m.point_data["part"]), part), name
    assert np.array_equal(np.ravel(m.point_data["place"]), place), name
    weight = np.c_[np.r_[np.arange(63), 99], np.full(64, 5)]
    assert np.array_equal(m.point_data["weight"], weight), name
    lines = np.vstack([c.data for c in m.cells if c.type == "line"])
    assert {tuple(e) for e in lines.tolist()} == edges, name
    alone = np.vstack([c.data for c in m.cells if c.type == "vertex"])
    assert alone.tolist() == [[63]], name
    cut = np.concatenate([np.ravel(d) for c, d in zip(m.cells, m.cell_data["cut"])
                          if c.type == "line"])
    assert np.array_equal(cut, part[lines[:, 0]] != part[lines[:, 1]]), name
for name, shapes, parts in (("flat", {"quad": [[0, 1, 4, 3], [1, 2, 5, 4]],
                                      "triangle": [[3, 4, 6]]}, [2, 0, 1]),
                            ("solid", {"hexahedron": [[0, 1, 2, 3, 4, 5, 6, 7]],
                                       "tetra": [[4, 5, 6, 8]]}, [0, 1])):
    for ending in ("vtk", "vtu"):
        m = meshio.read(name + "." + ending)
        assert {c.type: c.data.tolist() for c in m.cells} == shapes, (name, ending)
        found = np.concatenate([np.ravel(d) for d in m.cell_data["part"]])
        assert found.tolist() == parts, (name, ending)
print(len(files) + 4, "files read by meshio", meshio.__version__)
END
$python3 judge.py
