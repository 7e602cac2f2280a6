import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as tls from 'node:tls';
import { chunkings, everyBytes, wholeBody, type Chunking } from './chunkings.ts';
import {
  chunksOf,
  delta,
  done,
  event,
  finished,
  fixture,
  head,
  lastChunk,
  startRawServer,
  streamHead,
  type RawServer,
} from './rawServer.ts';
import { hello, outcomeOf, testClient, type Outcome } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';

const errorEvent = {
  error: { message: 'The backend broke.', type: 'server_error', code: 'backend_error', request_id: 'req_9' },
};
const streamError = {
  kind: 'streamError',
  message: 'The backend broke.',
  type: 'server_error',
  code: 'backend_error',
  requestId: 'req_9',
} as const;

interface Row {
  readonly input: string;
  readonly body: string | Uint8Array;
  readonly result: Outcome;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** After the body: a clean end by default. */
  readonly ending?: 'end' | 'reset' | 'stayOpen';
  /** Without HTTP chunks: the response, including its head, is cut between pieces written to the socket. */
  readonly isUnframed?: boolean;
  /** Over TLS, with this certificate. */
  readonly certificate?: string;
  /** Replaces the four chunkings that cut every row of the table, for variations of a row. */
  readonly chunkings?: readonly Chunking[];
}

const hi: Outcome = { text: 'Hi', reasoning: '', complete: true };
const json = { 'content-type': 'application/json' };
const mebibyte = 1024 * 1024;
const whole = {
  id: 'c1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  x_metrics: { ttft_seconds: 0.5, tps: 40, total_time_seconds: 2 },
};
const wholeOutcome: Outcome = {
  ...hi,
  finish: 'stop',
  usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
  metrics: { ttftSeconds: 0.5, tokensPerSecond: 40, totalTimeSeconds: 2 },
};
const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Welcome\u0007 to the portal</body></html>';

const rows: readonly Row[] = [
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
  // What real services have been seen to send.
  {
    input: 'llama.cpp: an error as a field of its own before any text, then [DONE]',
    body: `error: {"code":500,"message":"the request exceeds the available context size","type":"server_error"}\n\n${done}`,
    result: {
      text: '',
      reasoning: '',
      failure: {
        kind: 'streamError',
        message: 'the request exceeds the available context size',
        type: 'server_error',
        code: '500',
      },
    },
  },
  {
    input: 'llama.cpp: an error as a field of its own after text, then [DONE]',
    body: `${delta('Hi')}error: {"code":500,"message":"slot broke","type":"server_error"}\n\n${done}`,
    result: {
      text: 'Hi',
      reasoning: '',
      failure: { kind: 'streamError', message: 'slot broke', type: 'server_error', code: '500' },
    },
  },
  {
    input: 'event: ping with data that is no JSON, and side events with an error field, are ignored',
    body: `event: ping\ndata: now\n\n${delta('H')}event: status\ndata: {"error":"none yet"}\n\nevent: ping\ndata: {"type":"ping"}\n\n${delta('i')}${done}`,
    result: hi,
  },
  {
    input: 'an event of another name that holds choices is one of the reply',
    body: `event: chat.completion.chunk\n${delta('Hi')}${done}`,
    result: hi,
  },
  ...['event: error ', 'event:  error', 'event : error', ' event: error', 'event: Error', 'Event:error\t'].map(
    (line) => ({
      input: `an error event with odd blanks or letters: ${JSON.stringify(line)}`,
      body: `${delta('Hi')}${line}\n${event(errorEvent)}${done}`,
      result: { text: 'Hi', reasoning: '', failure: streamError },
    }),
  ),
  ...['error :', ' error:', 'Error:', 'error:\t', ''].map((field) => ({
    input: `an error in a field of its own, written ${JSON.stringify(field)}`,
    body: `${delta('Hi')}${field}${JSON.stringify(errorEvent)}\n\n${done}`,
    result: { text: 'Hi', reasoning: '', failure: streamError },
  })),
  {
    input: 'event: error with blanks behind it, and no data',
    body: `${delta('Hi')}event: error  \r\n\r\n${done}`,
    result: { text: 'Hi', reasoning: '', failure: { kind: 'streamError', message: '' } },
  },
  {
    input: 'event: error with nothing but [DONE] for data',
    body: `${delta('Hi')}event: error\n${done}`,
    result: { text: 'Hi', reasoning: '', failure: { kind: 'streamError', message: '' } },
  },
  {
    input: 'an error as bare JSON at the end of a stream of events',
    body: `${delta('Hi')}${JSON.stringify(errorEvent)}`,
    result: { text: 'Hi', reasoning: '', failure: streamError },
  },
  {
    input: 'lines of other words between events are ignored, also those that begin like a field',
    body: `${delta('H')}erroneous\nerrors: none\ndat\n{not json}\nevent\n\n${delta('i')}${done}`,
    result: hi,
  },
  {
    input: 'blanks before the names of fields',
    body: ` data: {"choices":[{"delta":{"content":"H"}}]}\n\n\tdata :{"choices":[{"delta":{"content":"i"}}]}\n\n data: [DONE]\n\n`,
    result: hi,
  },
  {
    input: 'events without a blank line between them',
    body: (delta('H') + delta('i') + finished + done).replaceAll('\n\n', '\n'),
    result: { ...hi, finish: 'stop' },
  },
  {
    input: 'events without a blank line between them, the last one cut',
    body: `${(delta('H') + delta('i')).replaceAll('\n\n', '\n')}data: {"cho`,
    result: { text: 'Hi', reasoning: '', failure: { kind: 'connectionLost', host: '', code: 'ENDED_IN_EVENT' } },
  },
  ...['ping', 'keepalive', 'keep-alive', '"heartbeat"'].map((word) => ({
    input: `an event with nothing but the word ${word}`,
    body: event(word) + delta('H') + event(word) + delta('i') + done,
    result: hi,
  })),
  {
    input: 'Gemini: an error in a list of one, inside a stream',
    body: delta('Hi') + event([errorEvent]),
    result: { text: 'Hi', reasoning: '', failure: streamError },
  },
  {
    input: 'Gemini: an error in a list of one in place of a stream',
    body: JSON.stringify([errorEvent], null, 2),
    headers: json,
    result: { text: '', reasoning: '', failure: streamError },
  },
  {
    input: 'a list of chunks',
    body: JSON.stringify([{ choices: [{ delta: { content: 'H' } }] }, { choices: [{ delta: { content: 'i' } }] }]),
    headers: json,
    result: hi,
  },
  {
    input: 'a list that holds no chunks',
    body: event([]) + event(['?']) + done,
    result: { text: '', reasoning: '', failure: { kind: 'malformed', where: 'event', sample: '[]' } },
  },
  {
    input: 'OpenRouter: an error inside a choice, whose text is kept',
    body:
      delta('H') +
      event({ choices: [{ index: 0, delta: { content: 'i' }, finish_reason: 'error', ...errorEvent }] }) +
      done,
    result: { text: 'Hi', reasoning: '', failure: streamError },
  },
  {
    input: 'Groq: an error beside the last chunk, which says stop',
    body:
      event({ choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }], x_groq: { error: 'over capacity' } }) +
      done,
    result: { text: 'Hi', reasoning: '', failure: { kind: 'streamError', message: 'over capacity' } },
  },
  ...(
    [
      ['x_groq', { x_groq: { id: 'req_1', usage: { prompt_tokens: 3, completion_tokens: 2 } } }],
      ['the choice', { choices: [{ delta: {}, usage: { prompt_tokens: 3, completion_tokens: 2 } }] }],
      ['usage, by other names', { choices: [], usage: { input_tokens: 3, output_tokens: 2 } }],
    ] as const
  ).map(([where, chunk]) => ({
    input: `usage in ${where}`,
    body: delta('Hi') + event(chunk) + done,
    result: { ...hi, usage: { promptTokens: 3, completionTokens: 2 } },
  })),
  {
    input: 'OpenRouter and Azure: comments, a first chunk without choices, a role alone, usage after the end',
    body:
      ': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n' +
      event({ id: '', model: '', object: '', choices: [], prompt_filter_results: [{ prompt_index: 0 }] }) +
      event({
        choices: [{ index: 0, delta: { role: 'assistant', content: '', refusal: null }, finish_reason: null }],
      }) +
      delta('Hi') +
      event({ choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop', native_finish_reason: 'STOP' }] }) +
      event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, cost: 0.1 } }) +
      done,
    result: { ...hi, finish: 'stop', usage: { promptTokens: 3, completionTokens: 2, totalTokens: 5 } },
  },
  {
    input: '{"object":"error"} inside a 200',
    body: JSON.stringify({ object: 'error', message: 'The model broke.', type: 'InternalServerError', code: 500 }),
    headers: json,
    result: {
      text: '',
      reasoning: '',
      failure: { kind: 'streamError', message: 'The model broke.', type: 'InternalServerError', code: '500' },
    },
  },
  {
    input: '{"detail"} inside a stream, after text',
    body: delta('Hi') + event({ detail: 'Worker gone.' }) + done,
    result: { text: 'Hi', reasoning: '', failure: { kind: 'streamError', message: 'Worker gone.' } },
  },
  {
    input: 'a complaint in a form of its own, and nothing else',
    body: event({ code: 1301, msg: 'Not allowed.' }) + done,
    result: { text: '', reasoning: '', failure: { kind: 'streamError', message: 'Not allowed.', code: '1301' } },
  },
  {
    input: 'event: error with no data at all',
    body: `${delta('Hi')}event: error\ndata:\n\n${done}`,
    result: { text: 'Hi', reasoning: '', failure: { kind: 'streamError', message: '' } },
  },
  {
    input: 'event: error without even a data line',
    body: `${delta('Hi')}event: error\r\n\r\n${done}`,
    result: { text: 'Hi', reasoning: '', failure: { kind: 'streamError', message: '' } },
  },
  {
    input: 'event: error as the last line, cut off',
    body: `${delta('Hi')}event:error`,
    result: { text: 'Hi', reasoning: '', failure: { kind: 'streamError', message: '' } },
  },
  {
    input: 'an event whose name only begins like an error',
    body: `${delta('Hi')}event: errors\ndata: none\n\n${done}`,
    result: { text: 'Hi', reasoning: '', complete: true },
  },
  {
    input: 'an error with all its fields empty beside each piece: none',
    body: event({ error: { message: '', code: 0, type: null }, choices: [{ delta: { content: 'Hi' } }] }) + done,
    result: { text: 'Hi', reasoning: '', complete: true },
  },
  {
    input: 'a queued job in place of a reply',
    body: JSON.stringify({ id: 'job_7', object: 'job', status: 'queued', created: 1 }),
    headers: json,
    result: {
      text: '',
      reasoning: '',
      failure: { kind: 'unsupported', what: 'job', jobId: 'job_7', jobStatus: 'queued' },
    },
  },
  {
    input: 'a choice whose index is text, and one whose index begins at 1',
    body:
      event({ choices: [{ index: '1', delta: { content: 'H' } }] }) +
      event({ choices: [{ index: 1, delta: { content: 'i' } }] }) +
      event({ choices: [{ index: 2, delta: { content: 'never' } }] }) +
      done,
    result: hi,
  },
  {
    input: 'choices as an object, one choice or keyed by index',
    body:
      event({ choices: { delta: { content: 'H' } } }) +
      event({ choices: { '0': { index: 0, delta: { content: 'i' } } } }) +
      done,
    result: hi,
  },
  {
    input: 'content as a list of strings and parts, with what the model thought',
    body:
      event({ choices: [{ delta: { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] } }] }) +
      event({ choices: [{ delta: { content: ['H', { type: 'text', text: 'i' }] } }] }) +
      done,
    result: { ...hi, reasoning: 'Hm.' },
  },
  {
    input: 'reasoning_details where there is no other reasoning',
    body:
      event({ choices: [{ delta: { reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }] } }] }) +
      event({ choices: [{ delta: { reasoning: '.', reasoning_details: [{ type: 'reasoning.text', text: '.' }] } }] }) +
      delta('Hi') +
      done,
    result: { ...hi, reasoning: 'Hm.' },
  },
  {
    input: 'a refusal is text, and the reply is not what was asked for',
    body:
      event({ choices: [{ delta: { refusal: "I can't." } }] }) +
      event({ choices: [{ delta: {}, finish_reason: 'stop' }] }) +
      done,
    result: { ...hi, text: "I can't.", finish: 'refusal', complete: false },
  },
  {
    input: 'NaN and Infinity in the last chunk count as missing',
    body:
      delta('Say "NaN"') +
      'data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":NaN},"x_metrics":{"tps":Infinity,"ttft_seconds":-Infinity,"total_time_seconds":2}}\n\n' +
      done,
    result: {
      ...hi,
      text: 'Say "NaN"',
      finish: 'stop',
      usage: { promptTokens: 3 },
      metrics: { totalTimeSeconds: 2 },
    },
  },
  {
    input: 'usage of nothing but zeros at the end does not replace real usage',
    body:
      event({
        choices: [{ delta: { content: 'Hi' } }],
        usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
      }) +
      event({ choices: [], usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }) +
      done,
    result: { ...hi, usage: { promptTokens: 7, completionTokens: 2, totalTokens: 9 } },
  },
  {
    input: 'usage in two events, the input at the start and the output at the end',
    body:
      event({ choices: [], usage: { input_tokens: 7, output_tokens: 1, total_tokens: 8 } }) +
      event({ choices: [{ delta: { content: 'Hi' } }] }) +
      event({ choices: [], usage: { output_tokens: 2 } }) +
      done,
    result: { ...hi, usage: { promptTokens: 7, completionTokens: 2 } },
  },
  ...['"[DONE]"', '[done]', 'DONE', '[DONE];', '[ DONE ]'].map((mark) => ({
    input: `the end written as ${mark}`,
    body: delta('Hi') + event(mark) + event(errorEvent),
    result: hi,
  })),
  {
    input: 'the finish reason "null" is none',
    body: event({ choices: [{ delta: { content: 'Hi' }, finish_reason: 'null' }] }) + done,
    result: hi,
  },
  {
    input: 'a finish reason of 10,000 characters and figures of 300 digits are bounded',
    body:
      event({
        choices: [{ delta: { content: 'Hi' }, finish_reason: 'x'.repeat(10_000) }],
        usage: { prompt_tokens: 1e300, completion_tokens: 2 },
      }) + done,
    result: { ...hi, finish: `${'x'.repeat(63)}…`, complete: false, usage: { completionTokens: 2 } },
  },
  {
    input: 'after a finish reason, an open socket is waited for no longer than usage can take',
    body: delta('Hi') + finished + event({ choices: [], usage: { prompt_tokens: 1 } }),
    ending: 'stayOpen',
    result: { ...hi, finish: 'stop', usage: { promptTokens: 1 } },
  },
  {
    input: 'after a finish reason, broken JSON and half an event take nothing away',
    body: `${delta('Hi')}${finished}data: {"usage":\n\ndata: {"cho`,
    isUnframed: true,
    result: { ...hi, finish: 'stop' },
  },
];

describe('The stream table', () => {
  let server: RawServer | undefined;
  const ownAuthorities = tls.getCACertificates('default');
  before(() => tls.setDefaultCACertificates([...ownAuthorities, fixture('authority')]));
  after(() => tls.setDefaultCACertificates(ownAuthorities));
  afterEach(() => server?.close());

  for (const row of rows) {
    it(row.input, async () => {
      for (const chunking of row.chunkings ?? chunkings) {
        const outcome = await run(row, chunking);
        const { failure } = row.result;
        const expected =
          failure?.kind === 'connectionLost'
            ? { ...row.result, failure: { ...failure, host: new URL(server?.origin ?? '').host } }
            : row.result;
        assert.deepEqual(outcome, expected, chunking.name);
        const isRetried = failure?.kind === 'backendUnavailable';
        assert.equal(server?.requests.length, isRetried ? 3 : 1, chunking.name);
      }
    }).timeout(60_000);
  }

  for (const certificate of [undefined, 'good']) {
    it(`${certificate === undefined ? 'a reset' : 'a TLS abort'} in mid-event: connection lost, text kept`, async () => {
      for (const chunking of chunkings) {
        const body = `${delta('Hi')}data: {"choices":[{"del`;
        const aborted: Row = { input: '', body, ending: 'reset', result: hi };
        const outcome = await run(certificate === undefined ? aborted : { ...aborted, certificate }, chunking);
        assert.equal(outcome.text, 'Hi', chunking.name);
        assert.equal(outcome.failure?.kind, 'connectionLost', chunking.name);
        assert.equal(outcome.complete, undefined, chunking.name);
        assert.equal(server?.requests.length, 1, chunking.name);
      }
    });
  }

  it('a reset after a finish reason: the reply is whole', async () => {
    for (const chunking of chunkings) {
      const body = delta('Hi') + finished;
      const outcome = await run({ input: '', body, ending: 'reset', result: hi }, chunking);
      assert.deepEqual(outcome, { ...hi, finish: 'stop' }, chunking.name);
      assert.equal(server?.requests.length, 1);
    }
  });

  async function run(row: Row, chunking: Chunking): Promise<Outcome> {
    await server?.close();
    const isBare = row.headers?.['content-type'] === '';
    const headers = isBare ? { 'transfer-encoding': 'chunked' } : row.headers;
    server = await startRawServer((socket: Socket) => {
      if (row.isUnframed === true) {
        const start = head(row.status ?? 200, { 'content-type': 'text/event-stream', ...headers });
        void writeInTurns(socket, chunking.cut(Buffer.concat([start, Buffer.from(row.body)])));
        return;
      }
      if (isBare) socket.write(head(200, headers ?? {}));
      else if (row.status !== undefined) socket.write(head(row.status, { 'transfer-encoding': 'chunked', ...headers }));
      else socket.write(streamHead(headers));
      socket.write(chunksOf(chunking.cut(Buffer.from(row.body))), () => {
        // Without the closing message that TLS sends.
        if (row.ending === 'reset') setImmediate(() => (row.certificate ? socket.destroy() : socket.resetAndDestroy()));
      });
      if (row.ending === undefined || row.ending === 'end') socket.write(lastChunk);
    }, row.certificate);
    const { client, dispose } = testClient(server.origin, { timeouts: { silenceMs: 5000, settleMs: 200 } });
    try {
      const outcome = await outcomeOf(client.stream(chatCompletion(hello)));
      // A response that never ends is cut off, and so is one that is too large.
      if (row.ending === 'stayOpen' || outcome.failure?.kind === 'tooLarge') await server.allClosed();
      return outcome;
    } finally {
      dispose();
    }
  }
});

/** Each piece is sent before the next one is written. */
async function writeInTurns(socket: Socket, pieces: readonly Uint8Array[]): Promise<void> {
  socket.setNoDelay(true);
  for (const piece of pieces) {
    socket.write(piece);
    await nextTurn();
  }
  socket.end();
}
