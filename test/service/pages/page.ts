/** A page of the service; `body` is markup. */
export function page(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 14px/1.5 system-ui, sans-serif; margin: 24px; }
  table { border-collapse: collapse; }
  th, td { padding: 4px 12px 4px 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
  .log th, .log td { white-space: nowrap; }
  .number { text-align: right; font-variant-numeric: tabular-nums; }
  .failed { color: light-dark(#a1260d, #f88070); }
  .canceled { color: light-dark(#6b5900, #d7ba7d); }
  code, pre { font-family: ui-monospace, monospace; user-select: all; }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${body}
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
