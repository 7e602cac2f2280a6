import { everyBytes, wholeBody } from './chunkings.ts';
import { delta, done, event, finished } from './rawServer.ts';
import { errorEvent, hi, json, mebibyte, page, type Row, streamError, whole, wholeOutcome } from './streamRow.ts';

export const streamRows: readonly Row[] = [
  { input: 'text, then [DONE]', body: delta('H') + delta('i') + done, result: hi },
  {
    input: 'a finish reason, usage, and metrics, repeated on every chunk: the last ones win',
    body:
      event({ choices: [{ delta: { content: 'H' } }], usage: { prompt_tokens: 1, completion_tokens: 1 } }) +
      event({
        choices: [{ delta: { content: 'i' }, finish_reason: 'length' }],
        usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
        x_metrics: { ttft_seconds: 0.1, tps: 5, total_time_seconds: 1 },
      }) +
      event({ choices: [], usage: null, x_metrics: { tps: 6 } }) +
      done,
    result: {
      ...hi,
      finish: 'length',
      complete: false,
      usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
      metrics: { tokensPerSecond: 6 },
    },
  },
  {
    input: 'reasoning_content, and elsewhere reasoning',
    body:
      event({ choices: [{ delta: { reasoning_content: 'Let ' } }] }) +
      event({ choices: [{ delta: { reasoning: 'me see.' } }] }) +
      delta('Hi') +
      done,
    result: { ...hi, reasoning: 'Let me see.' },
  },
  {
    input: 'a <think> block at the start of the text, then the reply',
    body: delta('<thi') + delta('nk>\nLet ') + delta('me see.</th') + delta('ink>\n\nHi') + done,
    result: { ...hi, reasoning: 'Let me see.' },
  },
  {
    input: 'a <thinking> block in a whole JSON reply',
    body: JSON.stringify({ choices: [{ message: { content: '<thinking>Let me see.</thinking>Hi' } }] }),
    headers: json,
    result: { ...hi, reasoning: 'Let me see.' },
  },
  {
    input: 'a <think> block that an error cuts off in its last mark',
    body: delta('<think>Let me see.</thi') + event(errorEvent),
    result: { text: '', reasoning: 'Let me see.</thi', failure: streamError },
  },
  ...['stop', 'eos', 'end_turn', 'stop_sequence', 'tool_calls', 'STOP'].map((reason) => ({
    input: `the finish reason ${reason} is that of a whole reply`,
    body: event({ choices: [{ delta: { content: 'Hi' }, finish_reason: reason }] }) + done,
    result: { ...hi, finish: reason },
  })),
  ...['length', 'content_filter', 'error', 'max_tokens', 'abort', 'ran_away'].map((reason) => ({
    input: `the finish reason ${reason} is that of an incomplete reply, [DONE] or not`,
    body: event({ choices: [{ delta: { content: 'Hi' }, finish_reason: reason }] }) + done,
    result: { ...hi, finish: reason, complete: false },
  })),
  {
    input: 'a whole JSON reply with the finish reason content_filter is incomplete too',
    body: JSON.stringify({ choices: [{ message: { content: 'Hi' }, finish_reason: 'content_filter' }] }),
    headers: json,
    result: { ...hi, finish: 'content_filter', complete: false },
  },
  {
    input: 'data:{"error":…} before text',
    body: event(errorEvent) + done,
    result: { text: '', reasoning: '', failure: streamError },
  },
  {
    input: 'data:{"error":…} after text',
    body: delta('Hi') + event(errorEvent) + delta('never'),
    result: { text: 'Hi', reasoning: '', failure: streamError },
  },
  {
    input: 'event: error before text',
    body: `event: error\n${event(errorEvent)}`,
    result: { text: '', reasoning: '', failure: streamError },
  },
  {
    input: 'event: error after text, with plain words for data',
    body: `${delta('Hi')}event: error\ndata: out of memory\n\n`,
    headers: { 'x-request-id': 'req_head' },
    result: {
      text: 'Hi',
      reasoning: '',
      failure: { kind: 'streamError', message: 'out of memory', requestId: 'req_head' },
    },
  },
  {
    input: 'an end in mid-event: connection lost, text kept',
    body: `${delta('Hi')}data: {"choices":[{"delta":{"con`,
    headers: { 'x-request-id': 'req_head' },
    result: {
      text: 'Hi',
      reasoning: '',
      failure: { kind: 'connectionLost', host: '', code: 'ENDED_IN_EVENT', requestId: 'req_head' },
    },
  },
  {
    input: 'a body that ends with the connection, its last event cut: connection lost, text kept',
    body: `${delta('Hi')}data: {"choi`,
    isUnframed: true,
    result: { text: 'Hi', reasoning: '', failure: { kind: 'connectionLost', host: '', code: 'ENDED_IN_EVENT' } },
  },
  { input: 'a body that ends with the connection, whole', body: delta('Hi') + done, isUnframed: true, result: hi },
  {
    input: 'an end with neither [DONE] nor a finish reason: might be incomplete',
    body: delta('Hi'),
    result: { ...hi, complete: false },
  },
  {
    input: 'an end with a finish reason and no [DONE]',
    body: delta('Hi') + finished,
    result: { ...hi, finish: 'stop' },
  },
  {
    input: '[DONE] and nothing else',
    body: done,
    result: { text: '', reasoning: '', failure: { kind: 'emptyAnswer', status: 200 } },
  },
  {
    input: 'JSON that is no reply, then [DONE]',
    body: event({ status: 'ok' }) + done,
    result: { text: '', reasoning: '', failure: { kind: 'malformed', where: 'body', sample: '{"status":"ok"}' } },
  },
  {
    input: 'an error that is null, false, or empty is none',
    body: [null, false, ''].map((error) => event({ error, choices: [{ delta: { content: '.' } }] })).join('') + done,
    result: { ...hi, text: '...' },
  },
  { input: '[DONE], socket left open: finish at once', body: delta('Hi') + done, ending: 'stayOpen', result: hi },
  {
    input: 'data after [DONE] is ignored',
    body: delta('Hi') + done + delta('more') + event(errorEvent) + 'data: {broken\n\n',
    result: hi,
  },
  {
    input: 'the last event without its blank line, then a clean end, is used',
    body: (delta('H') + delta('i')).trimEnd(),
    result: { ...hi, complete: false },
  },
  { input: '[DONE] without its blank line, then a clean end', body: (delta('Hi') + done).trimEnd(), result: hi },
  { input: 'CRLF', body: (delta('H') + delta('i') + done).replaceAll('\n', '\r\n'), result: hi },
  { input: 'CR', body: (delta('H') + delta('i') + done).replaceAll('\n', '\r'), result: hi },
  {
    input: 'CRLF, CR, and LF mixed',
    body: `${delta('H').replaceAll('\n', '\r\n')}${delta('i').replaceAll('\n', '\r')}\n${done}`,
    result: hi,
  },
  { input: 'a BOM at the start', body: `\ufeff${delta('Hi')}${done}`, result: hi },
  { input: 'data: without a space', body: (delta('Hi') + done).replaceAll('data: ', 'data:'), result: hi },
  {
    input: 'comments, id, retry, and event fields',
    body: `: keep-alive\n\nid: 7\nretry: 100\nevent: message\n${delta('Hi')}:\n\n${done}`,
    result: hi,
  },
  {
    input: 'multi-line data',
    body: `data: {"choices":[\ndata: {"delta":{"content":"Hi"}}\ndata: ]}\n\n${done}`,
    result: hi,
  },
  { input: 'empty data', body: `data:\n\ndata: \n\ndata\n\n${delta('Hi')}${done}`, result: hi },
  {
    input: 'multi-byte characters cut by chunk ends',
    body: delta('Grüße, 世界 👩‍💻') + done,
    result: { ...hi, text: 'Grüße, 世界 👩‍💻' },
  },
  {
    input: 'invalid UTF-8 becomes U+FFFD',
    body: Buffer.concat([
      Buffer.from('data: {"choices":[{"delta":{"content":"a'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from(`b"}}]}\n\n${done}`),
    ]),
    result: { ...hi, text: 'a\ufffd\ufffdb' },
  },
  {
    input: 'one event of 1 MiB is a part of a reply like any other',
    body: delta('Hi') + delta('x'.repeat(mebibyte)) + done,
    chunkings: [everyBytes(1000), wholeBody],
    result: { ...hi, text: `Hi${'x'.repeat(mebibyte)}` },
  },
  {
    input: 'one event over 8 MiB',
    body: delta('Hi') + delta('x'.repeat(8 * mebibyte)),
    chunkings: [everyBytes(50_000), wholeBody],
    result: { text: 'Hi', reasoning: '', failure: { kind: 'tooLarge', what: 'event', limitBytes: 8 * mebibyte } },
  },
  {
    input: 'one event over 8 MiB in bytes, though not in characters',
    body: delta('Hi') + delta('界'.repeat(3_000_000)),
    chunkings: [everyBytes(50_000), wholeBody],
    result: { text: 'Hi', reasoning: '', failure: { kind: 'tooLarge', what: 'event', limitBytes: 8 * mebibyte } },
  },
  {
    input: 'broken JSON in one event: an error after the text',
    body: `${delta('Hi')}data: {"choices":\n\n${delta('never')}${done}`,
    result: { text: 'Hi', reasoning: '', failure: { kind: 'malformed', where: 'event', sample: '{"choices":' } },
  },
  {
    input: 'choices [], null, and missing; delta missing; content null',
    body:
      [
        { choices: [] },
        { choices: null },
        { id: 'c1' },
        { choices: [{}] },
        { choices: [{ delta: null }] },
        { choices: [{ delta: { content: null } }] },
        { choices: ['?'] },
      ]
        .map(event)
        .join('') +
      delta('Hi') +
      done,
    result: hi,
  },
  {
    input: 'message in place of delta',
    body: event({ choices: [{ message: { content: 'Hi' } }] }) + done,
    result: hi,
  },
  {
    input: 'message that repeats what the deltas said: taken once',
    body: delta('H') + delta('i') + event({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }) + done,
    result: { ...hi, finish: 'stop' },
  },
  {
    input: 'delta and message side by side: taken once',
    body: event({ choices: [{ delta: { content: 'Hi' }, message: { content: 'Hi' } }] }) + done,
    result: hi,
  },
  { input: 'text in place of delta', body: event({ choices: [{ text: 'Hi' }] }) + done, result: hi },
  {
    input: 'delta and text side by side: taken once',
    body: event({ choices: [{ delta: { content: 'Hi' }, text: 'Hi' }] }) + done,
    result: hi,
  },
  {
    input: 'application/json though a stream was requested',
    body: JSON.stringify(whole),
    headers: json,
    result: wholeOutcome,
  },
  {
    input: 'application/json over several lines',
    body: JSON.stringify(whole, null, 2),
    headers: json,
    result: wholeOutcome,
  },
  {
    input: 'NDJSON',
    body: (delta('H') + delta('i') + finished).replaceAll('data: ', '').replaceAll('\n\n', '\n'),
    headers: { 'content-type': 'application/x-ndjson' },
    result: { ...hi, finish: 'stop' },
  },
  {
    input: 'NDJSON, one line over 8 MiB in bytes, though not in characters',
    body: `${JSON.stringify({ choices: [{ delta: { content: 'Hi' } }] })}\n"${'界'.repeat(3_000_000)}"\n`,
    chunkings: [everyBytes(50_000), wholeBody],
    result: { text: 'Hi', reasoning: '', failure: { kind: 'tooLarge', what: 'event', limitBytes: 8 * mebibyte } },
  },
  {
    input: 'no content type with SSE inside',
    body: delta('Hi') + done,
    headers: { 'content-type': '' },
    result: hi,
  },
  { input: 'a wrong content type with SSE inside', body: delta('Hi') + done, headers: json, result: hi },
  { input: 'text/event-stream with JSON inside', body: JSON.stringify(whole), result: wholeOutcome },
  {
    input: '200 with an error envelope',
    body: JSON.stringify(errorEvent),
    headers: json,
    result: { text: '', reasoning: '', failure: streamError },
  },
  {
    input: '200 empty',
    body: '',
    headers: { 'x-request-id': 'req_head' },
    result: { text: '', reasoning: '', failure: { kind: 'emptyAnswer', status: 200, requestId: 'req_head' } },
  },
  {
    input: '204',
    body: '',
    status: 204,
    isUnframed: true,
    headers: { 'x-request-id': 'req_head' },
    result: { text: '', reasoning: '', failure: { kind: 'emptyAnswer', status: 204, requestId: 'req_head' } },
  },
  {
    input: 'a stream of nothing but comments',
    body: ': one\n\n: two\n\n',
    result: { text: '', reasoning: '', failure: { kind: 'emptyAnswer', status: 200 } },
  },
  {
    input: 'HTML from a proxy or portal, 200',
    body: page,
    headers: { 'content-type': 'text/html' },
    result: {
      text: '',
      reasoning: '',
      failure: {
        kind: 'notTheService',
        status: 200,
        contentType: 'text/html',
        sample: page.replace('\u0007', '\\u{7}'),
        title: 'Sign in',
      },
    },
  },
  {
    input: 'HTML from a proxy or portal, 403',
    body: page,
    status: 403,
    headers: { 'content-type': 'text/html' },
    result: {
      text: '',
      reasoning: '',
      failure: {
        kind: 'notTheService',
        status: 403,
        contentType: 'text/html',
        sample: page.replace('\u0007', '\\u{7}'),
        title: 'Sign in',
      },
    },
  },
  {
    input: 'HTML of a gateway, 502: an outage, with the title of the page',
    body: page.replace('Sign in', '502 Bad Gateway'),
    status: 502,
    headers: { 'content-type': 'text/html' },
    result: {
      text: '',
      reasoning: '',
      failure: { kind: 'backendUnavailable', status: 502, message: '502 Bad Gateway', body: 'page' },
    },
  },
  {
    input: '407, with a page',
    body: page,
    status: 407,
    headers: { 'content-type': 'text/html' },
    result: { text: '', reasoning: '', failure: { kind: 'proxyAuthRequired', status: 407 } },
  },
  {
    input: 'a redirect, with a page',
    body: page,
    status: 307,
    headers: { 'content-type': 'text/html', location: 'https://elsewhere.test/v1' },
    result: {
      text: '',
      reasoning: '',
      failure: { kind: 'redirected', status: 307, toHost: 'elsewhere.test', to: 'https://elsewhere.test/v1' },
    },
  },
  {
    input: 'an error body over 64 KiB',
    body: JSON.stringify({ error: { message: 'x'.repeat(70_000) } }),
    status: 400,
    headers: json,
    result: {
      text: '',
      reasoning: '',
      failure: { kind: 'badRequest', status: 400, message: `${'x'.repeat(199)}…`, body: 'json' },
    },
  },
  {
    input: 'JSON that is no reply at all',
    body: '{"status":"ok"}',
    headers: json,
    result: { text: '', reasoning: '', failure: { kind: 'malformed', where: 'body', sample: '{"status":"ok"}' } },
  },
  {
    input: 'plain words where a reply should be',
    body: 'it works!',
    headers: { 'content-type': 'text/plain' },
    result: {
      text: '',
      reasoning: '',
      failure: { kind: 'notTheService', status: 200, contentType: 'text/plain', sample: 'it works!' },
    },
  },
];
