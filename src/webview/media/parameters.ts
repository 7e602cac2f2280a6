import * as l10n from '@vscode/l10n';
import {
  type FormValues,
  type ImageParameters,
  longestAddress,
  longestPrompt,
  longestWord,
  type MediaInput,
  type TextField,
  type VideoParameters,
} from '../../shared/media.ts';

/** What is wrong with a field, by its name. */
export type Complaints = Readonly<Partial<Record<TextField | 'image' | 'audio', string>>>;

export type Parsed<T> =
  | { readonly kind: 'fine'; readonly parameters: T }
  | { readonly kind: 'wrong'; readonly complaints: Complaints };

/** What a form asks for. A field that is left alone is absent; any value of the right type will do. */
export function videoParameters({ texts, inputs }: FormValues): Parsed<VideoParameters> {
  const complaints: Record<string, string> = {};
  const reader = new FieldReader(texts, complaints);
  const model = reader.needed('model', l10n.t('Choose a model, or type its name'));
  const parameters: VideoParameters = {
    kind: 'video',
    model,
    ...reader.text('prompt'),
    ...reader.count('duration'),
    ...reader.text('resolution'),
    ...reader.count('fps'),
    ...reader.text('aspectRatio'),
    ...input('image', inputs.image, complaints),
    ...input('audio', inputs.audio, complaints),
    ...reader.choice('draft'),
    ...reader.choice('saveAudio'),
    ...reader.choice('promptUpsampling'),
  };
  return Object.keys(complaints).length > 0 ? { kind: 'wrong', complaints } : { kind: 'fine', parameters };
}

export function imageParameters({ texts }: FormValues): Parsed<ImageParameters> {
  const complaints: Record<string, string> = {};
  const reader = new FieldReader(texts, complaints);
  const parameters: ImageParameters = {
    kind: 'image',
    model: reader.needed('model', l10n.t('Choose a model, or type its name')),
    prompt: reader.needed('prompt', l10n.t('Say what is to be seen')),
    ...reader.size('size'),
    ...reader.count('steps'),
    ...reader.number('cfg', (value) => value >= 0 && Number.isFinite(value), l10n.t('A number, 0 or more')),
    ...reader.number('seed', (value) => Number.isSafeInteger(value), l10n.t('A whole number')),
    ...reader.text('format'),
  };
  return Object.keys(complaints).length > 0 ? { kind: 'wrong', complaints } : { kind: 'fine', parameters };
}

const plainNumber = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/;

class FieldReader {
  readonly #texts: FormValues['texts'];
  readonly #complaints: Record<string, string>;

  constructor(texts: FormValues['texts'], complaints: Record<string, string>) {
    this.#texts = texts;
    this.#complaints = complaints;
  }

  needed(name: TextField, complaint: string): string {
    const value = this.#fitting(name);
    if (value === '') this.#complaints[name] ??= complaint;
    return value;
  }

  text<N extends TextField>(name: N): { readonly [K in N]?: string } {
    const value = this.#fitting(name);
    return value === '' ? {} : single(name, value);
  }

  count<N extends TextField>(name: N): { readonly [K in N]?: number } {
    return this.number(name, (value) => Number.isSafeInteger(value) && value >= 1, l10n.t('A whole number, 1 or more'));
  }

  number<N extends TextField>(
    name: N,
    fits: (value: number) => boolean,
    complaint: string,
  ): { readonly [K in N]?: number } {
    const typed = this.#typed(name);
    if (typed === '') return {};
    const value = plainNumber.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN;
    if (fits(value)) return single(name, value);
    this.#complaints[name] = complaint;
    return {};
  }

  choice<N extends TextField>(name: N): { readonly [K in N]?: boolean } {
    const value = this.#typed(name);
    return value === 'on' || value === 'off' ? single(name, value === 'on') : {};
  }

  size(name: TextField): { readonly width?: number; readonly height?: number } {
    const typed = this.#typed(name);
    if (typed === '') return {};
    const [, width, height] = /^(\d{1,5})\s*[x×*:]\s*(\d{1,5})$/i.exec(typed) ?? [];
    if (Number(width) >= 1 && Number(height) >= 1) return { width: Number(width), height: Number(height) };
    this.#complaints[name] = l10n.t('Width and height in pixels, such as 1024x768');
    return {};
  }

  /** Empty, with a complaint, where it is too long. */
  #fitting(name: TextField): string {
    const value = this.#typed(name);
    const most = name === 'prompt' ? longestPrompt : longestWord;
    if (value.length <= most) return value;
    this.#complaints[name] = tooLong(value, most);
    return '';
  }

  #typed(name: TextField): string {
    return (this.#texts[name] ?? '').trim();
  }
}

function tooLong(value: string, most: number): string {
  return l10n.t('{0} characters, and {1} fit', value.length, most);
}

function single<N extends string, V>(name: N, value: V): { readonly [K in N]: V } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key is the very name that was asked for
  return { [name]: value } as { readonly [K in N]: V };
}

function input<N extends 'image' | 'audio'>(
  name: N,
  value: MediaInput | undefined,
  complaints: Record<string, string>,
): { readonly [K in N]?: MediaInput } {
  if (value === undefined || (value.kind === 'address' && value.url.trim() === '')) return {};
  if (value.kind === 'file') return single(name, value);
  const url = value.url.trim();
  if (url.length > longestAddress) {
    complaints[name] = tooLong(url, longestAddress);
    return {};
  }
  if (/^(https?:\/\/\S+|data:\S+)$/i.test(url)) return single(name, { kind: 'address', url });
  complaints[name] = l10n.t('An address that starts with https://, or a file');
  return {};
}
