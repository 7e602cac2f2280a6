import { delta, done, event, finished } from './rawServer.ts';
import { errorEvent, hi, json, type Row, streamError } from './streamRow.ts';

/** What real services have been seen to send. */
export const seenStreamRows: readonly Row[] = [
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
  ...[
    ['OpenAI: hidden reasoning is part of the reply', 'completion_tokens', 'completion_tokens_details', 9, 12, 9],
    ['hidden reasoning by other names', 'output_tokens', 'output_tokens_details', 9, 12, 9],
    ['xAI: reasoning is counted beside the reply', 'completion_tokens', 'completion_tokens_details', 9, 17, 14],
    ['xAI: more of it than of the reply', 'completion_tokens', 'completion_tokens_details', 4, 12, 9],
    ['Gemini: only the total includes reasoning', 'completion_tokens', 'no_details', 4, 12, 9],
    ['an unknown part of a total that names the reasoning', 'completion_tokens', 'completion_tokens_details', 9, 14, 9],
    ['more reasoning than reply makes no sense', 'completion_tokens', 'completion_tokens_details', 4, 7, 4],
  ].map(([input, name, details, count, total, all]) => ({
    input: `${input}`,
    body:
      delta('Hi') +
      event({
        choices: [],
        usage: { prompt_tokens: 3, [`${name}`]: count, total_tokens: total, [`${details}`]: { reasoning_tokens: 5 } },
      }) +
      done,
    result: {
      ...hi,
      usage: {
        promptTokens: 3,
        completionTokens: Number(all),
        totalTokens: Number(total),
        ...(Number(all) > 5 && { reasoningTokens: 5 }),
      },
    },
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
