import { errorModels } from '../models/errorModels.ts';
import { faultModels } from '../models/faultModels.ts';
import { oddVideoModels } from '../models/mediaModels.ts';
import type { ModelDefinition } from '../models/modelDefinition.ts';

/** A kind of problem, and the models that cause it. */
export interface FaultGroup {
  readonly trouble: string;
  readonly models: readonly Pick<ModelDefinition, 'id' | 'description'>[];
}

/** In the order and wording of the client's table of streams, followed by other faults of a response. */
const faultGroups: readonly (readonly [trouble: string, faults: string])[] = [
  [
    'An error reported in the stream, before or after text',
    'error-first error-later error-event-first error-event-later error-event-text',
  ],
  ['A connection that is reset or closed in mid-event', 'reset close'],
  ['A connection that is lost before or during the response', 'reset-early close-early close-after-headers short-body'],
  ['An end without [DONE], without a finish reason, or without both', 'unfinished no-done no-finish'],
  ['[DONE], and the connection left open', 'left-open'],
  ['Data after [DONE]', 'after-done'],
  ['A last event without its blank line', 'no-last-blank'],
  [
    'Every variant of the event stream format',
    'crlf cr mixed-line-ends bom no-space fields multi-line empty-data comments-first',
  ],
  ["Characters that are cut, or aren't UTF-8", 'split-characters invalid-utf8'],
  [
    'More data than anyone should accept',
    'huge-event endless endless-line large-error endless-error large-json endless-json',
  ],
  ['Broken JSON in one event', 'broken-json'],
  ['Chunks of another shape', 'empty-choices empty-deltas message text usage-everywhere reasoning-field'],
  ['One JSON body though a stream was requested', 'json'],
  ['Lines of JSON; no or a wrong Content-Type', 'ndjson no-content-type wrong-content-type json-content-type'],
  [
    "A 200 that isn't one, pages of proxies and portals, and redirects",
    'envelope-200 empty-200 no-content html-200 html-502 proxy-login redirect-301 redirect-302 redirect-303 redirect-307 redirect-308 redirect-nowhere',
  ],
  [
    'Other endings of a valid reply',
    'finish-content-filter finish-tool-calls finish-error finish-paused-by-moon no-text no-request-id',
  ],
  ['Silence', 'hang headers-only silence comments-only'],
  ['Error bodies that break the envelope', 'body-string body-detail body-message body-text body-empty body-broken'],
  ['Other ways to ask for a wait', 'wait-date wait-ms wait-long wait-nonsense'],
];

/** All ways to break a response. */
export function faultGuide(): readonly FaultGroup[] {
  const faults = new Map(faultModels().map((model) => [model.id, model]));
  const groups = faultGroups.map(([trouble, names]) => ({
    trouble,
    models: names.split(' ').flatMap((name) => faults.get(`local/fault-${name}`) ?? []),
  }));
  return [
    { trouble: 'A status of the error table', models: errorModels() },
    ...groups,
    { trouble: 'Videos: other responses, and links that lead elsewhere', models: oddVideoModels() },
  ];
}
