/** The tokens of the readiness report, and what a page that stands alone and prints whole needs. */
export const style = `
:root{color-scheme:light dark;--ground:light-dark(#fcfcfb,#0f1214);--sunken:light-dark(#f2f3f2,#191e21);
--line:light-dark(#e1e4e3,#272d31);--line-strong:light-dark(#c3c9c9,#3b444a);--ink:light-dark(#14181b,#e6eaec);
--soft:light-dark(#434c52,#b4bdc3);--faint:light-dark(#5f6a71,#8e99a0);
--good:light-dark(#0b7350,#5ccba0);--open:light-dark(#875600,#e3b153);--bad:light-dark(#b3241c,#ff8a80);--none:var(--faint);
--good-fill:light-dark(#2f9470,#2f9f78);--open-fill:light-dark(#c98a12,#c79332);--bad-fill:light-dark(#cf443a,#d9564d);
--none-fill:light-dark(#c3c9c9,#3b444a);
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif;
--mono:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
*,*::before,*::after{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:13px/1.5 var(--sans);font-variant-numeric:tabular-nums}
header,main,footer{max-width:1200px;margin-inline:auto;padding-inline:clamp(16px,2.6vw,40px)}
h1,h2,h3,p,ul,dl,dd{margin:0;padding:0}
h1{font-size:clamp(22px,2.3vw,30px);font-weight:600;line-height:1.2;letter-spacing:-.015em}
h2{margin:36px 0 10px;font-size:15px;font-weight:600}
h3{font-size:13px;font-weight:600}
header{padding-top:28px}
footer{padding-block:28px 40px;color:var(--faint)}
code,.mono{font-family:var(--mono);font-size:.94em;overflow-wrap:anywhere}
.brand{margin-bottom:18px;color:var(--faint)}
.verdict{display:flex;flex-wrap:wrap;align-items:baseline;gap:6px 28px;margin-top:14px}
.verdict .badge{font-size:22px;font-weight:600}
.verdict .badge .glyph{width:20px;height:20px;vertical-align:-3px}
.big{font-size:22px;font-weight:600}
.why{margin-top:6px;color:var(--soft);max-width:90ch}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:2px 18px;margin-top:18px}
.facts dt{color:var(--faint)}
.glyph{flex:none;width:13px;height:13px;vertical-align:-2px}
.glyph path{fill:none;stroke:currentColor;stroke-width:1.9;stroke-linecap:round;stroke-linejoin:round}
.badge{display:inline-flex;align-items:center;gap:5px;font-weight:550;white-space:nowrap}
.is-good{color:var(--good)}.is-open{color:var(--open)}.is-bad{color:var(--bad)}.is-none{color:var(--none)}
table{width:100%;border-collapse:collapse}
th,td{padding:4px 10px 4px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{color:var(--faint);font-weight:400;white-space:nowrap}
tbody th{font-weight:500}
.wide{overflow-x:auto}
.number{text-align:right;white-space:nowrap}
.faint{color:var(--faint)}
.map th{width:1%;white-space:nowrap;padding-right:14px}
.map td{padding:3px 0;vertical-align:middle}
.strip{display:block;width:100%;height:14px}
.fill-good{fill:var(--good-fill)}.fill-open{fill:var(--open-fill)}.fill-bad{fill:var(--bad-fill)}.fill-none{fill:var(--none-fill)}
.key{display:flex;flex-wrap:wrap;gap:4px 18px;margin-bottom:8px;color:var(--soft)}
.key svg{width:14px;height:14px;vertical-align:-3px;margin-right:5px}
.metric{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:6px 28px;padding:14px 0;border-top:1px solid var(--line);break-inside:avoid}
.metric header{all:unset;grid-column:1/-1;display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 12px}
.metric p{margin-top:4px;color:var(--soft)}
.plot{display:block;width:100%;height:auto}
.plot text{fill:var(--faint);font:11px var(--sans)}
.plot .bar{fill:var(--soft)}.plot .axis{stroke:var(--line-strong)}
.plot .ideal{stroke:var(--good)}.plot .review{stroke:var(--bad);stroke-dasharray:4 3}
.plot .ideal,.plot .review{stroke-width:1.6}
.limits{padding-left:18px;list-style:disc;max-width:100ch}
.limits li{margin-bottom:4px}
@media (max-width:760px){.metric{grid-template-columns:1fr}.map thead th{white-space:normal}}
@media print{:root{color-scheme:light;print-color-adjust:exact}body{font-size:10px}header,main,footer{max-width:none;padding-inline:0}tr{break-inside:avoid}h2{break-after:avoid}.wide{overflow:visible}}
@page{margin:14mm}
`;
