import { escapeHtml } from '../../../core/safety/escapeHtml.ts';

/** A page without scripts, which the host writes as a whole. */
export interface StaticPage {
  readonly language: string;
  readonly cspSource: string;
  readonly stylesheet: string;
}

/** @param main Markup whose texts are escaped. */
export function staticPage(
  { language, cspSource, stylesheet }: StaticPage,
  title: string,
  { id, main }: { readonly id: string; readonly main: string },
): string {
  const policy = `default-src 'none'; style-src ${cspSource}`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeHtml(stylesheet)}">
<title>${escapeHtml(title)}</title>
</head>
<body>
<main id="${id}">
<h1>${escapeHtml(title)}</h1>
${main}</main>
</body>
</html>`;
}
