import { faultGuide } from './faultGuide.ts';
import { escapeHtml, page } from './page.ts';

/** The fault console: what to request to see something go wrong. `origin` is the service's. */
export function faultsPage(origin: string): string {
  const groups = faultGuide().map(({ trouble, models }) => {
    const rows = models.map(
      ({ id, description }) => `<tr><td><code>${escapeHtml(id)}</code></td><td>${escapeHtml(description)}</td></tr>`,
    );
    return `<h2>${escapeHtml(trouble)}</h2>\n<table>\n${rows.join('\n')}\n</table>`;
  });
  const example = `curl -N ${origin}/v1/chat/completions -H 'Authorization: Bearer KEY' -H 'Content-Type: application/json' \\
  -d '{"model":"local/fault-reset","messages":[{"role":"user","content":"Hello"}]}'`;
  return page(
    'Faults to try',
    `<p>Each of these is the id of a model. Errors and faults work on every endpoint, with and without a stream. Behind the name of any other model and a colon they work too: <code>local/writer:error-402</code>, <code>local/video:fault-hang</code>. What was asked and answered is in the <a href="/log">log</a>.</p>
<pre>${escapeHtml(example)}</pre>
${groups.join('\n')}`,
  );
}
