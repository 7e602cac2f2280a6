import type { FormView, MediaItemView, MediaSnapshot, OutputView } from '../../../src/shared/protocol/mediaProtocol.ts';
import type { Problem } from '../../../src/shared/problem.ts';

const hour = 3_600_000;
const now = Date.now();

/** A video file, as it's shown. */
export const filmOutput: OutputView = {
  state: 'saved',
  src: '/films/a.webm',
  mediaType: 'video/webm',
  sizeBytes: 812_000,
  hasLink: true,
};

/** A generated video. */
export function madeFilm(id: string, facts: Partial<MediaItemView> = {}): MediaItemView {
  return {
    id,
    kind: 'video',
    state: 'done',
    prompt: `A paper boat on a lake at dawn, take ${id}`,
    model: 'maker/film-large',
    facts: ['5 s', '720p', '16:9', 'cost ≈ 0.1'],
    parameters: [
      { name: 'Model', value: 'maker/film-large' },
      { name: 'Duration', value: '5 s' },
      { name: 'Request ID', value: `req_${id}` },
    ],
    startedAt: now - hour,
    endedAt: now - hour + 42_000,
    outputs: [{ ...filmOutput, src: `/films/${id}.webm` }],
    isDraft: false,
    ...facts,
  };
}

export function madeImage(id: string, facts: Partial<MediaItemView> = {}): MediaItemView {
  const output = { ...filmOutput, src: `/pictures/${id}.png`, mediaType: 'image/png' };
  return madeFilm(id, {
    kind: 'image',
    prompt: `A small house, take ${id}`,
    facts: ['1024 × 768'],
    outputs: [output],
    ...facts,
  });
}

const unknown: Problem = {
  severity: 'warning',
  title: 'Might have been generated and charged',
  detail:
    'The window closed before the response arrived. The service might have generated it anyway. Parlance never resends it automatically.',
  actions: [{ kind: 'openInferenceLogPage', label: 'Open Inference Log' }],
  technical: '',
};
const credits: Problem = {
  severity: 'error',
  title: 'Out of credits',
  detail: 'The account has not enough credits for this request. Add credits, then run it again.',
  actions: [{ kind: 'openCreditsPage', label: 'Add Credits' }],
  technical: '402 · insufficient_quota',
  requestId: 'req_1234',
};
const gone: Problem = {
  severity: 'error',
  title: 'The link no longer works',
  detail:
    "files.example refused the download. The link has probably expired. Run it again to get a new one. You'll be charged again.",
  actions: [],
  technical: '410',
};

const one = (output: OutputView): readonly OutputView[] => [output];

const variety: readonly MediaItemView[] = [
  madeFilm('running', {
    state: 'running',
    startedAt: now - 24_000,
    usualSeconds: 60,
    outputs: [],
    facts: ['8 s', '1080p'],
  }),
  madeFilm('elsewhere', { state: 'elsewhere', startedAt: now - 130_000, outputs: [] }),
  madeFilm('loading', {
    outputs: one({ state: 'downloading', hasLink: true, receivedBytes: 3_400_000, totalBytes: 8_000_000 }),
  }),
  madeFilm('draft', { isDraft: true, facts: ['Draft', '5 s'] }),
  madeImage('image'),
  madeFilm('unknown', { state: 'unknown', outputs: [], problem: unknown }),
  madeFilm('failed', { state: 'failed', outputs: [], problem: credits }),
  madeFilm('gone', { outputs: one({ state: 'failed', hasLink: true, problem: gone }) }),
  madeFilm('broken', { outputs: one({ ...filmOutput, src: '/films/missing' }) }),
  madeFilm('waiting', { outputs: one({ state: 'waiting', hasLink: true }) }),
  madeImage('hostile', {
    prompt: '<img src=x onerror="document.title=1">‮evil\u0000'.repeat(4),
    model: 'm'.repeat(200),
    parameters: [{ name: 'Model', value: '<script>alert(1)</script>'.repeat(12) }],
  }),
];

const form = (facts: Partial<FormView> = {}): FormView => ({
  kind: 'video',
  values: { texts: { model: 'maker/film-large' }, inputs: {} },
  presets: [],
  ...facts,
});

/** The service of a model, the model, and more than a field has room for. */
export const longModelText = 'Home server/maker/a-film-model-with-a-name-that-is-longer-than-its-field-in-a-side-bar';

/** The states that `?state=` can show. */
export const mediaStates: Readonly<Record<string, () => MediaSnapshot>> = {
  empty: () => ({ items: [] }),
  gallery: () => ({ items: variety }),
  large: () => ({
    items: Array.from({ length: 500 }, (_, index) =>
      index % 5 === 4
        ? madeImage(`${index}`, { startedAt: now - index * 1000 })
        : madeFilm(`${index}`, { startedAt: now - index * 1000 }),
    ),
  }),
  // The fake host names two services for these, and one that was removed.
  services: () => ({
    form: form({ values: { texts: { model: longModelText }, inputs: {} } }),
    items: [
      madeFilm('own', { model: 'maker/film' }),
      madeFilm('home', { model: 'home::maker/film', prompt: '' }),
      madeFilm('gone', { model: 'gone::maker/film' }),
    ],
  }),
  videoForm: () => ({ form: form(), items: [] }),
  imageForm: () => ({
    form: form({ kind: 'image', insertInto: 'docs/page.md' }),
    items: [madeImage('1'), madeImage('2')],
  }),
  replacedForm: () => ({
    form: form({
      values: { texts: { model: 'maker/film-large', prompt: 'An earlier prompt' }, inputs: {} },
      replaced: { texts: { prompt: 'What was there before' }, inputs: {} },
      insertInto: 'docs/page.md',
    }),
    items: [],
  }),
  filledForm: () => ({
    form: form({
      values: {
        texts: {
          model: 'maker/film-large',
          prompt: 'A paper boat on a lake',
          duration: '5',
          aspectRatio: '16:9',
          draft: 'on',
        },
        inputs: {
          image: { kind: 'address', url: 'https://files.example/start.png' },
          audio: {
            kind: 'file',
            id: 'a',
            name: 'a-rather-long-name-of-a-recording.wav',
            mediaType: 'audio/wav',
            sizeBytes: 1_500_000,
          },
        },
      },
      presets: ['Square', 'Wide'],
      prices: '0.05 per request, 0.01 per second',
    }),
    items: variety.filter(({ kind }) => kind === 'video'),
  }),
};
