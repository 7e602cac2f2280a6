import { wholeResponse } from '../chunks.ts';
import type { Fault, FaultContext } from './faultScript.ts';
import { firstHalf, secondHalf } from './spoken.ts';

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html; charset=utf-8' };

/** What a network with a login page returns instead of any service. */
export const portalPage = `<!DOCTYPE html>
<html><head><title>Welcome to the guest network</title><script>document.title = 'ran'</script></head>
<body><h1>Please log in</h1><form action="/login"><input name="code"></form></body></html>
`;

const gatewayPage = `<html>
<head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center><hr><center>proxy</center></body>
</html>
`;

/** Responses with a content type other than an event stream. */
export const foreignBodies: readonly Fault[] = [
  {
    name: 'json',
    description: 'Valid response as one JSON body, though a stream was requested.',
    answer: (say, context) => ({
      headers: json,
      pieces: [JSON.stringify(completion(context, { usage: say.usage(firstHalf + secondHalf) }))],
    }),
  },
  {
    name: 'ndjson',
    description: 'Valid response as one JSON object a line, without event stream framing.',
    answer: (say) => ({
      headers: { 'content-type': 'application/x-ndjson' },
      pieces: [asLines(say.role + say.first), asLines(say.second + say.finish)],
    }),
  },
  {
    name: 'no-content-type',
    description: 'Valid event stream without a Content-Type.',
    answer: (say) => ({ headers: {}, pieces: [say.role + say.first, say.second + say.finish + say.done] }),
  },
  {
    name: 'wrong-content-type',
    description: 'Valid event stream that calls itself text/plain.',
    answer: (say) => ({
      headers: { 'content-type': 'text/plain' },
      pieces: [say.role + say.first, say.second + say.finish + say.done],
    }),
  },
  {
    name: 'json-content-type',
    description: 'Valid event stream that calls itself application/json.',
    answer: (say) => ({ headers: json, pieces: [say.role + say.first, say.second + say.finish + say.done] }),
  },
  {
    name: 'envelope-200',
    description: 'An error envelope as JSON with the status 200.',
    answer: (say) => ({ headers: json, pieces: [say.error()] }),
  },
  { name: 'empty-200', description: 'Status 200 and an empty body.', answer: () => ({ pieces: [] }) },
  {
    name: 'no-content',
    description: 'Status 204.',
    answer: () => ({ status: 204, headers: {}, pieces: [] }),
  },
  {
    name: 'html-200',
    description: 'The login page of a network, with the status 200.',
    answer: () => ({ headers: html, pieces: [portalPage] }),
  },
  {
    name: 'html-502',
    description: 'The error page of a proxy, with the status 502.',
    answer: () => ({ status: 502, headers: html, pieces: [gatewayPage] }),
  },
  {
    name: 'proxy-login',
    description: 'Status 407, as from a proxy that requires a login.',
    answer: () => ({
      status: 407,
      headers: { ...html, 'proxy-authenticate': 'Basic realm="proxy"' },
      pieces: ['<html><body>Proxy Authentication Required</body></html>'],
    }),
  },
  ...[301, 302, 303, 307, 308].map((status): Fault => ({
    name: `redirect-${status}`,
    description: `Status ${status} to the other form of the host.`,
    answer: (_say, { elsewhere }) => ({ status, headers: { location: elsewhere }, pieces: [] }),
  })),
  {
    name: 'redirect-nowhere',
    description: 'Status 302 without a Location.',
    answer: () => ({ status: 302, headers: {}, pieces: [] }),
  },
];

function completion({ requestId, model }: FaultContext, figures: object): object {
  const head = { id: `chatcmpl-${requestId}`, created: Math.floor(Date.now() / 1000), model };
  return wholeResponse(head, { text: firstHalf + secondHalf, reasoning: '', finishReason: 'stop' }, figures);
}

function asLines(events: string): string {
  return events.replaceAll('data: ', '').replaceAll('\n\n', '\n');
}
