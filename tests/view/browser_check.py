#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""browser_check.py CLEAVE - opens pages of `cleave view` in a headless Chromium and uses them.
browser_check.py CLEAVE PAGE... - says how long each takes to open, and looks at it as above.

No error on the console, nothing loaded, the metrics of `cleave evaluate --json`, rounded, the right
vertex and part under the mouse, layers, legend, keys, theme; on a phone nothing covers anything.  Exit status 77 without a browser."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    print("python3-selenium is missing")
    sys.exit(77)

browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
if not browser or not driver:
    print("chromium or chromium-driver is missing")
    sys.exit(77)

FLAGS = """--headless=new --no-sandbox --disable-gpu --disable-background-networking
--disable-component-update --disable-sync --no-first-run --disable-dev-shm-usage
--window-size=1280,900""".split()
cleave = os.path.abspath(sys.argv[1])
shared = os.path.abspath(os.environ.get("CLEAVE_SHARED") or os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../../shared"))
pages = [os.path.abspath(path) for path in sys.argv[2:]]
failures = checks = 0


def check(condition, text):
    global failures, checks
    checks += 1
    if not condition:
        failures += 1
        print("failed:", text)


def is_shown(text, value):
    """Whole numbers as they are, others with five digits."""
    return float(text) == value or (value != round(value) and
                                    abs(float(text) - value) <= 0.500001e-4 * abs(value))


def check_short(text, name):
    """No number with a fraction has more than six digits."""
    for number in re.findall(r"(?<![\w.])\d*\.\d+(?:e[-+]?\d+)?(?!\.?\w)", text):
        digits = re.sub(r"e.*|\.", "", number).lstrip("0")
        check(len(digits) <= 6, "%s: %s is not rounded" % (name, number))


def run(*arguments):
    return subprocess.run([cleave, *arguments], check=True, capture_output=True, text=True).stdout


class Page:
    """A page that has been opened; figure 0 is used."""

    def __init__(self, web, path):
        self.web = web
        web.get("file://" + os.path.abspath(path))
        WebDriverWait(web, 60).until(
            lambda w: w.execute_script("return document.documentElement.dataset.ready"))
        check(self.js("return document.documentElement.dataset.ready") == "yes", path + " is ready")
        found = web.find_elements(By.CSS_SELECTOR, "figure.view canvas")
        self.canvas = found[0] if found else None  # an index has pictures only
        if found:
            web.execute_script("arguments[0].scrollIntoView({block: 'center'})", self.canvas)

    def js(self, text, *arguments):
        return self.web.execute_script(text, *arguments)

    def figure(self, text):
        return self.js("var f = cleave.figures[0]; return " + text)

    def pixels(self):
        return self.js("cleave.figures[0].drawNow();"
                       "return cleave.figures[0].canvas.toDataURL()")

    def hover(self, x, y):
        """The mouse goes to a place of the canvas; what the page says there."""
        size = self.canvas.size
        ActionChains(self.web).move_to_element_with_offset(
            self.canvas, round(x - size["width"] / 2), round(y - size["height"] / 2)).perform()
        tip = self.web.find_element(By.CSS_SELECTOR, ".tip")
        return tip.text.split("\n") if tip.is_displayed() else []

    def texts(self):
        """What can be read: the page, the labels of figures, what is said about items."""
        return self.js("""return document.body.innerText + (window.cleave ? cleave.figures : []).map(function (f) {
            return f.spec.layers.map(function (l) { var all = l.texts ? l.texts.slice() : [];
                for (var i = 0; l.noun && i < l.count; i += 1 + (l.count >> 6))
                    all = all.concat(f.describe({layer: l, item: i}));
                return all.join('\\n'); }).join('\\n'); }).join('\\n')""")

    def quiet(self, name):
        check_short(self.texts(), name)
        bad = [line for line in self.web.get_log("browser") if line["level"] != "INFO"]
        check(not bad, "%s: console: %s" % (name, bad))
        check(self.js("""var pictures = Array.from(document.images).map(function (i) { return i.src; });
            return performance.getEntriesByType('resource').every(function (e) {
                return pictures.indexOf(e.name) >= 0; })"""),
              name + " loads nothing")


def check_metrics(page, answer):
    cells = page.web.find_elements(By.CSS_SELECTOR, "td[data-key]")
    check(len(cells) > 15, "there are metrics")
    for cell in cells:
        key, shown = cell.get_attribute("data-key"), cell.get_attribute("textContent")
        value = answer[key]
        if isinstance(value, bool):
            same = shown == ("yes" if value else "no")
        elif isinstance(value, (int, float)):
            same = is_shown(shown, value)
        else:
            same = shown == value
        check(same, "%s is shown as %s, not %s" % (key, shown, value))


def check_hover(page, parts):
    x, y = page.figure("[Array.from(f.x), Array.from(f.y)]")
    for v in range(0, len(parts), 37):
        said = page.hover(x[v], y[v])
        check(said[:2] == ["vertex %d" % v, "part %d" % parts[v]],
              "vertex %d of part %d: %s" % (v, parts[v], said))
    check(page.hover(3, 300) == [], "beside the graph nothing is said")


def check_layers(page):
    boxes = page.web.find_elements(By.CSS_SELECTOR, "figure:first-of-type .layers input")
    check(len(boxes) == 5, "five layers, not %d" % len(boxes))
    for box in boxes:
        before = page.pixels()
        was = box.is_selected()
        box.click()
        check(box.is_selected() != was, "the box changes")
        check(page.pixels() != before, "the picture changes with layer " +
              box.find_element(By.XPATH, "..").text)
        box.click()
        check(page.pixels() == before, "and back")


def check_legend(page, k):
    buttons = page.web.find_elements(By.CSS_SELECTOR, "figure:first-of-type .legend button")
    check(len(buttons) == k, "a legend of %d parts" % k)
    colors = {b.find_element(By.CSS_SELECTOR, ".swatch").value_of_css_property("background-color")
              for b in buttons}
    check(len(colors) == k, "%d different colours" % len(colors))
    before = page.pixels()
    buttons[2].click()
    check(buttons[2].get_attribute("aria-pressed") == "true", "the part is pressed")
    check(page.pixels() != before, "one part alone looks different")
    buttons[2].click()
    check(page.pixels() == before, "all parts again")


def check_keys(page):
    page.js("arguments[0].focus()", page.canvas)
    check(page.js("return document.activeElement.tagName") == "CANVAS", "the canvas has the focus")
    for key, test in [("+", "f.zoom > 1"), ("0", "f.zoom === 1"), ("-", "f.zoom < 1"),
                      ("0", "f.zoom === 1")]:
        page.canvas.send_keys(key)
        check(page.figure(test), "key %s: %s" % (key, test))
    page.canvas.send_keys("\ue014")  # right
    check(page.figure("f.moveX !== 0 || f.solid"), "arrows move")
    page.canvas.send_keys("0")
    page.canvas.send_keys("]")
    page.canvas.send_keys("]")
    status = page.web.find_element(By.CSS_SELECTOR, ".status").text
    check(status.startswith("vertex 1,"), "keys name vertices: " + status)
    page.canvas.send_keys("\ue00c")  # escape
    find = page.web.find_element(By.CSS_SELECTOR, "input.find")
    find.send_keys("42\n")
    status = page.web.find_element(By.CSS_SELECTOR, ".status").text
    check(status.startswith("vertex 42,"), "find: " + status)
    page.js("""cleave.figures[0].canvas.dispatchEvent(
        new WheelEvent('wheel', {deltaY: -300, clientX: 500, clientY: 400, cancelable: true}))""")
    check(page.figure("f.zoom > 1"), "the wheel zooms")
    for button in page.web.find_elements(By.CSS_SELECTOR, "figure:first-of-type .tools button"):
        check(button.get_attribute("aria-label"), "every button has a name")
        button.click()
    check(page.figure("f.zoom === 1"), "the last one shows all")


def check_theme(page):
    switch_theme(page)
    picture = page.pixels()
    page.web.find_element(By.ID, "theme").click()
    check(page.pixels() != picture, "the picture becomes dark, too")
    page.web.find_element(By.ID, "theme").click()


def flat(web):
    run("generate", "mesh2d:24x18", "-o", "m.graph", "--coords", "m.xyz")
    run("partition", "m.graph", "-k", "6", "-o", "m.part")
    run("view", "m.graph", "--parts", "m.part", "-t", "mesh:3x2", "-o", "m.html")
    parts = [int(line) for line in open("m.part")]
    page = Page(web, "m.html")
    check_metrics(page, json.loads(run("evaluate", "m.graph", "m.part", "-t", "mesh:3x2",
                                       "--json")))
    check_hover(page, parts)
    check_layers(page)
    check_legend(page, 6)
    check_keys(page)
    check_theme(page)
    page.quiet("m.html")


def solid(web):
    """What is in front is named; dragging turns; the slider pulls parts apart."""
    run("generate", "mesh3d:9x9x9", "-o", "s.graph", "--coords", "s.xyz")
    run("partition", "s.graph", "-k", "8", "-o", "s.part")
    run("view", "s.graph", "--parts", "s.part", "-o", "s.html")
    parts = [int(line) for line in open("s.part")]
    page = Page(web, "s.html")
    x, y, z = page.figure("[Array.from(f.x), Array.from(f.y), Array.from(f.z)]")
    front = max(range(len(z)), key=z.__getitem__)
    said = page.hover(x[front], y[front])
    check(said[:2] == ["vertex %d" % front, "part %d" % parts[front]],
          "the foremost vertex %d: %s" % (front, said))
    before = page.figure("f.turn[0]")
    ActionChains(web).move_to_element(page.canvas).click_and_hold().move_by_offset(
        80, 10).release().perform()
    check(page.figure("f.turn[0]") != before, "dragging turns")
    picture = page.pixels()
    page.js("""var s = document.querySelector('.apart'); s.value = 60;
        s.dispatchEvent(new Event('input'))""")
    check(page.pixels() != picture, "parts move apart")
    page.quiet("s.html")


def others(web):
    """Without parts, without coordinates, without anything; a DAG; an order; a crowded mesh."""
    run("generate", "gnp:120:0.03", "-o", "bare.graph")
    run("generate", "stencil:6x6:4", "-o", "dag.clv")
    run("order", "m.graph", "-o", "m.clo")
    open("none.graph", "w").write("0 0\n")
    for graph, options in [("bare.graph", []), ("dag.clv", []), ("none.graph", []),
                           ("m.graph", ["--order", "m.clo"]), ("bare.graph", ["--layout", "3"])]:
        run("view", graph, *options, "-o", "o.html")
        page = Page(web, "o.html")
        check(page.figure("f.drawn > 0"), graph + " is drawn")
        page.quiet(graph)
    mesh = os.path.join(shared, "data/mesh/3elt.grf")
    if os.path.exists(mesh):
        run("partition", mesh, "-k", "16", "-o", "3elt.part")
        run("view", mesh, "--parts", "3elt.part", "-o", "3elt.html")
        check(os.path.getsize("3elt.html") < 1000000, "the page of 3elt is below 1 MB")
        page = Page(web, "3elt.html")
        picture = page.pixels()
        web.find_element(By.CSS_SELECTOR, "input.even").click()
        check(page.pixels() != picture, "evened out or not")
        page.quiet("3elt.html")
    else:
        print("skipped: 1 case needs ../shared/data/mesh/3elt.grf")


def check_results(page, answer, name):
    """Every member of the JSON object that has a value, as it is there."""
    shown = {cell.get_attribute("data-key"): cell.get_attribute("textContent")
             for cell in page.web.find_elements(By.CSS_SELECTOR, ".results td[data-key]")}
    check(len(shown) > 8, name + " has results")
    for key, value in answer.items():
        if value is None or key.startswith("seconds") or key in ("speedup", "speedup_levels", "gflops",
                                                                 "bytes_per_second", "bandwidth"):
            continue  # those of another run
        text = shown.get(key, "nothing")
        same = text == str(value).lower() if isinstance(value, bool) else (
            is_shown(text, value) if isinstance(value, (int, float)) else text == str(value))
        check(same, "%s: %s is shown as %s, not %s" % (name, key, text, value))


def machines(web):
    """Machines: PEs and links under the mouse; pages beside results."""
    run("map", "m.graph", "-t", "torus:4x3", "-o", "torus.part")
    run("view", "m.graph", "--parts", "torus.part", "-t", "torus:4x3", "--machine", "--before",
        "identity", "-o", "torus.html")
    load = [0] * 12
    for line in open("torus.part"):
        load[int(line)] += 1
    page = Page(web, "torus.html")
    check(page.js("return cleave.figures.length") == 2, "before and after")
    page.js("cleave.figures.reverse()")  # the second becomes the one that is used
    page.canvas = page.web.find_elements(By.CSS_SELECTOR, "figure.view canvas")[1]
    page.js("arguments[0].scrollIntoView({block: 'center'})", page.canvas)
    x, y = page.figure("[Array.from(f.x), Array.from(f.y)]")
    tip = "return document.querySelectorAll('.tip')[1].textContent"
    for pe in range(12):
        page.hover(x[pe], y[pe])
        said = page.js(tip)
        check("PE %d" % pe in said and "load %d" % load[pe] in said, "PE %d: %s" % (pe, said))
    page.hover((x[5] + x[6]) / 2, y[5])
    check("PE 5 and PE 6" in page.js(tip), "a link: " + page.js(tip))
    check_metrics_of_target(page)
    page.quiet("torus.html")
    for target in ["hwloc:pack:2 l3:2 core:2 pu:2", "tree:4:8:4@1:5:9", "torus:4x4x4", "9"]:
        run("view", "-t", target, "-o", "alone.html")
        page = Page(web, "alone.html")
        check(page.figure("f.drawn > 0"), target + " is drawn")
        page.quiet(target)


def check_metrics_of_target(page):
    answer = json.loads(run("evaluate", "m.graph", "torus.part", "-t", "torus:4x3", "--json"))
    for cell in page.web.find_elements(By.CSS_SELECTOR, "td[data-key]"):
        key, text = cell.get_attribute("data-key"), cell.get_attribute("textContent")
        check(is_shown(text, answer[key]), "%s is shown as %s" % (key, text))


def reports(web):
    """--report of every verb that has it: the results are those of --json."""
    run("generate", "stencil:6x6:4", "-o", "dag.clv")
    run("generate", "grid2d:20x20", "-o", "p.mtx")
    verbs = [["partition", "m.graph", "-k", "5", "-o", "r.part"],
             ["partition", "dag.clv", "-k", "3", "-o", "d.part"],
             ["map", "m.graph", "-t", "tree:2:3@1:5", "-o", "r.mapped"],
             ["remap", "m.graph", "r.part", "-t", "4", "-o", "r2.part"],
             ["schedule", "dag.clv", "-p", "2", "-o", "dag.schedule"],
             ["run", "solve", "p.mtx", "--ic0", "-p", "1", "--repeat", "2"]]
    for verb in verbs:
        answer = json.loads(run(*verb, "--report", "r.html", "--json"))
        page = Page(web, "r.html")
        check_results(page, answer, " ".join(verb))
        page.quiet(" ".join(verb))


SIZES = [(390, 844), (1280, 800)]
BOXES = """header h1, header .subtitle, #theme, figcaption, .tools > *, canvas, .layers, .legend, .status,
section, .card"""


def overlap(a, b):
    return min(a["right"], b["right"]) - max(a["left"], b["left"]) > 0.5 and \
        min(a["bottom"], b["bottom"]) - max(a["top"], b["top"]) > 0.5


def check_places(page, name, width):
    """Nothing covers anything, nothing sticks out, pictures are large enough to see something."""
    boxes = page.js("""return Array.from(document.querySelectorAll(arguments[0])).map(function (e) {
        var r = e.getBoundingClientRect();
        return {name: e.className || e.id || e.tagName, left: r.left, right: r.right, top: r.top,
            bottom: r.bottom}; }).filter(function (r) { return r.right > r.left; })""", BOXES)
    check(len(boxes) > 5, name + " has boxes")
    for i, a in enumerate(boxes):
        check(a["left"] >= 0 and a["right"] <= width, "%s: %s sticks out" % (name, a["name"]))
        check(a["name"] != "CANVAS" or a["bottom"] - a["top"] >= 250,
              "%s: a picture of %d pixels" % (name, a["bottom"] - a["top"]))
        for b in boxes[:i]:
            check(not overlap(a, b), "%s: %s covers %s" % (name, a["name"], b["name"]))
    labels = page.js("""return (window.cleave ? cleave.figures : []).filter(function (f) { return f.spec.stretch; }).map(
        function (f) { f.drawNow(); return {w: f.width, h: f.height, at: f.labels, zero: f.spec.lo[0]}; })""")
    for chart in labels:
        at = [dict(left=b[0], top=b[1], right=b[2], bottom=b[3]) for b in chart["at"]]
        check(len(at) > 1, name + " has labels")
        for i, a in enumerate(at):
            check(a["left"] >= 0 and a["right"] <= chart["w"] and a["top"] >= 0 and
                  a["bottom"] <= chart["h"], "%s: a label is cut off: %s" % (name, a))
            check(not any(overlap(a, b) for b in at[:i]), name + ": labels cover each other")


def in_sizes(web, path, look):
    """Opens a page on a phone and on a laptop."""
    for width, height in SIZES:
        web.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
        look(Page(web, path), "%s at %d" % (os.path.basename(path), width), width)
    web.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def look_at(page, name, width):
    check_places(page, name, width)
    page.quiet(name)


def phones(web):
    """Every kind of page on a phone and on a laptop."""
    run("generate", "grid2d:30x30", "-o", "q.mtx")
    run("map", "m.graph", "-t", "tree:2:3@1:5", "-o", "q.map", "--report", "q-map.html")
    run("remap", "m.graph", "m.part", "-t", "5", "-o", "q.part", "--report", "q-remap.html")
    run("partition", "d.dot", "-k", "5", "-o", "q.part", "--report", "q-dag.html")
    run("schedule", "d.dot", "-p", "6", "-o", "q.sched", "--report", "q-schedule.html")
    run("run", "solve", "q.mtx", "--ic0", "--method", "grow", "-p", "2", "--repeat", "2",
        "--report", "q-solve.html")
    run("view", "s.graph", "--parts", "s.part", "-o", "q-solid.html")
    for name in ["map", "remap", "dag", "schedule", "solve", "solid"]:
        in_sizes(web, "q-%s.html" % name, look_at)


def measure(web, pages):
    for path in pages:
        start = time.time()
        page = Page(web, path)
        print("%8.2f s %10d bytes  %s" % (time.time() - start, os.path.getsize(path), path))
        switch_theme(page)
        in_sizes(web, path, look_at)


def switch_theme(page):
    color = "return getComputedStyle(document.body).backgroundColor"
    light = page.js(color)
    page.web.find_element(By.ID, "theme").click()
    check(page.js(color) != light, "the page becomes dark")
    page.web.find_element(By.ID, "theme").click()
    check(page.js(color) == light, "and light again")


def boxes_change(page, count):
    """Every layer of figure 0 can be switched; those with items change the picture."""
    boxes = page.web.find_elements(By.CSS_SELECTOR, "figure.view:first-of-type .layers input")
    check(len(boxes) == count, "%d layers, not %d" % (count, len(boxes)))
    for box in boxes:
        items = page.figure("f.spec.layers[%s].count" % box.get_attribute("data-layer"))
        before = page.pixels()
        box.click()
        check((page.pixels() != before) == (items > 0), "layer of %d items" % items)
        box.click()


def dags(web):
    """Levels and bands; the quotient below."""
    run("generate", "polybench:2mm:4x5x6x7", "-o", "d.dot")
    run("partition", "d.dot", "-k", "5", "-o", "d.part")
    run("view", "d.dot", "--parts", "d.part", "-o", "d.html")
    parts = [int(line) for line in open("d.part")]
    answer = json.loads(run("evaluate", "d.dot", "d.part", "--json"))
    page = Page(web, "d.html")
    check_metrics(page, answer)
    boxes_change(page, 6)
    x, y = page.figure("[Array.from(f.x), Array.from(f.y)]")
    for v in range(0, len(parts), 61):
        said = page.hover(x[v], y[v])
        u = int(said[0].split()[1]) if said else v  # pixels are whole: maybe one beside it
        check(said[:2] == ["vertex %d" % u, "part %d" % parts[u]] and
              abs(x[u] - x[v]) + abs(y[u] - y[v]) < 2, "vertex %d: %s" % (v, said))
    flows = page.js("""var l = cleave.figures[1].spec.layers[0];
        return [l.count, Array.from(l.fields[2].values)]""")
    check(flows[0] == answer["setups"], "an arrow for each arc of the quotient")
    check(sum(flows[1]) == answer["cut"], "as wide as all that is cut")
    page.quiet("d.html")


def schedules(web):
    run("schedule", "d.dot", "-p", "3", "--method", "levels", "-o", "d.sched")
    answer = json.loads(run("view", "d.dot", "--schedule", "d.sched", "-o", "d.html", "--json"))
    page = Page(web, "d.html")
    for cell in web.find_elements(By.CSS_SELECTOR, "td[data-key]"):
        key, shown = cell.get_attribute("data-key"), cell.get_attribute("textContent")
        check(is_shown(shown, answer[key]), "%s is shown as %s" % (key, shown))
    layers = {l["name"]: l for l in page.figure(
        "f.spec.layers.map(function (l) { return {name: l.name, count: l.count}; })")}
    check(layers["barriers"]["count"] == answer["layers"], "a barrier after each layer")
    check(layers["threads"]["count"] == 3, "three rows")
    boxes_change(page, 8)
    bars = page.figure("""(function () { var l = f.spec.layers.filter(function (l) {
        return l.name === 'work'; })[0], all = [];
        for (var i = 0; i < l.count; i++) { var a = l.at[2 * i], b = l.at[2 * i + 1];
        all.push([f.x[b] - f.x[a], (f.x[a] + f.x[b]) / 2, (f.y[a] + f.y[b]) / 2,
            l.fields[0].values[i], l.fields[1].values[i]]); } return all; })()""")
    page.js("""cleave.figures[0].spec.layers.forEach(function (l) {
        if (l.name === 'crossing edges') l.shown = false; })""")  # they lie above the bars
    widest = max(range(len(bars)), key=lambda i: bars[i][0])
    said = page.hover(*bars[widest][1:3])
    check(said[:3] == ["bar %d" % widest, "thread %d" % bars[widest][3],
                       "layer %d" % bars[widest][4]], "the widest bar: %s" % said)
    high = page.figure("Math.max.apply(null, f.y)")
    page.js("cleave.figures[0].zoomAt(3, 100, 100); cleave.figures[0].drawNow()")
    check(page.figure("Math.max.apply(null, f.y)") == high, "charts are zoomed along time")
    page.quiet("d.html")
    run("view", "d.dot", "--schedule", "d.sched", "-o", "d.json")
    events = json.load(open("d.json"))["traceEvents"]
    work = sum(e["dur"] for e in events if e.get("cat") == "work")
    check(abs(work * 1000 - answer["work_total"]) < 1e-6 * answer["work_total"],
          "durations add up to the work")
    end = max(e["ts"] + e["dur"] for e in events if e["ph"] == "X")
    check(abs(end * 1000 - answer["cost"]) < 1e-6 * answer["cost"], "and end at the cost")


def traces(web):
    run("generate", "factor", "--of", "grid2d:30x30", "--values", "-o", "f.mtx")
    run("run", "solve", "f.mtx", "--method", "grow", "-p", "2", "--repeat", "1",
        "--trace", "t.html")
    page = Page(web, "t.html")
    check(page.js("return cleave.figures.length") == 2, "measured and predicted")
    page.quiet("t.html")
    run("run", "solve", "f.mtx", "--method", "grow", "-p", "2", "--repeat", "1",
        "--trace", "t.json")
    events = json.load(open("t.json"))["traceEvents"]
    for tid in {e["tid"] for e in events if e["ph"] == "X"}:
        spans = sorted((e["ts"], e["ts"] + e["dur"]) for e in events if e["ph"] == "X" and
                       e["pid"] == 2 and e["tid"] == tid)
        check(all(a[1] <= b[0] + 1e-6 for a, b in zip(spans, spans[1:])),
              "a thread does one thing at a time")


def remaps(web):
    run("remap", "m.graph", "m.part", "-t", "3,1,1,1,1,1", "-o", "n.part")
    answer = json.loads(run("view", "m.graph", "--before", "m.part", "--parts", "n.part",
                            "-o", "n.html", "--json"))
    page = Page(web, "n.html")
    check(page.js("return cleave.figures.length") == 3, "before, after, migration")
    old = [int(line) for line in open("m.part")]
    new = [int(line) for line in open("n.part")]
    moved = sum(a != b for a, b in zip(old, new))
    check(answer["moved"] == moved > 0, "%d moved" % moved)
    for i in range(2):
        count = page.js("""var s = cleave.figures[arguments[0]].spec.layers;
            return s[s.length - 1].count""", i)
        check(count == moved, "what moved is marked in figure %d" % i)
    amounts = page.js("return Array.from(cleave.figures[2].spec.layers[0].fields[2].values)")
    check(sum(amounts) == answer["migration"], "arrows add up to the migration")
    pairs = {(a, b) for a, b in zip(old, new) if a != b}
    check(len(amounts) == len(pairs), "an arrow for each pair")
    for cell in web.find_elements(By.CSS_SELECTOR, "td[data-key]"):
        key, shown = cell.get_attribute("data-key"), cell.get_attribute("textContent")
        if key in answer:
            check(is_shown(shown, answer[key]), "%s is shown as %s" % (key, shown))
    page.quiet("n.html")


def main():
    options = Options()
    options.binary_location = browser
    for flag in FLAGS:
        options.add_argument(flag)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        options.add_argument("--user-data-dir=" + os.path.join(folder, "profile"))
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        web = webdriver.Chrome(service=Service(driver), options=options)
        try:
            if pages:
                measure(web, pages)
            else:
                flat(web)
                solid(web)
                others(web)
                machines(web)
                reports(web)
                dags(web)
                schedules(web)
                traces(web)
                remaps(web)
                phones(web)
        finally:
            web.quit()
            os.chdir("/")
    print("%d checks, %d failed" % (checks, failures))
    return 1 if failures else 0


sys.exit(main())
