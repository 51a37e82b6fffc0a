/* SPDX-License-Identifier: Apache-2.0 */
/* view/figure_style.c - the style of a figure in SVG: plain CSS rules without variables, which
 * some viewers do not support, for light and dark backgrounds. */
#include "view/figure.h"

const char clv_figure_style[] =
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',"
    "'DejaVu Sans',sans-serif;font-size:12px;fill:#1f2328;stroke:none}\n"
    ".title{font-size:18px;font-weight:600}\n"
    ".caption,.value,.more{fill:#667380}\n"
    ".heading{fill:#667380;font-weight:600}\n"
    ".over text{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}\n"
    ".area{stroke-width:.6;stroke-linejoin:round}\n"
    ".line{fill:none;stroke-linecap:round}\n"
    ".strong{fill:#1f2328;color:#1f2328}.muted{fill:#667380;color:#667380}\n"
    ".faint{fill:#e3e8ed;color:#e3e8ed}.paper{fill:#fff;color:#fff}\n"
    ".accent{fill:#d1242f;color:#d1242f}\n"
    ".line{stroke:currentColor;fill:none}\n"
    ".edge{stroke:#fff}\n"
    ".inside{fill:inherit}\n"
    "@media (prefers-color-scheme:dark){\n"
    "text{fill:#e8eef4}\n"
    ".caption,.value,.more,.heading{fill:#97a3af}\n"
    ".over text{stroke:#0f1318}\n"
    ".strong{fill:#e8eef4;color:#e8eef4}.muted{fill:#97a3af;color:#97a3af}\n"
    ".faint{fill:#262d35;color:#262d35}.paper{fill:#0f1318;color:#0f1318}\n"
    ".accent{fill:#ff7b72;color:#ff7b72}\n"
    ".line{fill:none}\n"
    ".edge{stroke:#0f1318}\n"
    "}\n";
