import {
  invalid,
  readBodyObject,
  readChoice,
  readInteger,
  readModelName,
  readRequiredText,
  type JsonObject,
} from '../requestFields.ts';

/** A checked request for images, from either of the two paths. */
export interface ImageRequest {
  readonly model: string;
  readonly prompt: string;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  readonly seed: number;
  readonly count: number;
  /** Undefined leaves the choice to the model. */
  readonly answer: 'url' | 'base64' | undefined;
}

const smallestSide = 16;
const largestSide = 2048;
const usualSide = 512;
const mostSteps = 150;
const highestCfg = 30;
const highestSeed = 2 ** 32 - 1;
const mostImages = 4;

/** The native form: `{model, positive_prompt, width, height, steps, cfg, seed, output_format}`. @throws {ServiceError} 400 */
export function parseNativeImageRequest(body: unknown): ImageRequest {
  const fields = readBodyObject(body);
  checkFormat(fields);
  readInteger('steps', fields['steps'], { least: 1, most: mostSteps, otherwise: 1 });
  checkCfg(fields['cfg']);
  return {
    model: readModelName(fields['model']),
    prompt: readRequiredText('positive_prompt', fields['positive_prompt']),
    width: readSide('width', fields['width']),
    height: readSide('height', fields['height']),
    seed: readInteger('seed', fields['seed'], { least: 0, most: highestSeed, otherwise: 0 }),
    count: 1,
    answer: undefined,
  };
}

/**
 * The form for compatible services: `{model, prompt, n, size, response_format, output_format}`.
 * @throws {ServiceError} 400
 */
export function parseCompatibleImageRequest(body: unknown): ImageRequest {
  const fields = readBodyObject(body);
  checkFormat(fields);
  const form = fields['response_format'];
  return {
    model: readModelName(fields['model']),
    prompt: readRequiredText('prompt', fields['prompt']),
    ...readSize(fields['size']),
    seed: readInteger('seed', fields['seed'], { least: 0, most: highestSeed, otherwise: 0 }),
    count: readInteger('n', fields['n'], { least: 1, most: mostImages, otherwise: 1 }),
    answer:
      form === undefined
        ? undefined
        : readChoice('response_format', form, ['url', 'b64_json'], 'url') === 'url'
          ? 'url'
          : 'base64',
  };
}

/** Only PNG is generated here; returning a PNG as anything else would be wrong. */
function checkFormat(fields: JsonObject): void {
  readChoice('output_format', fields['output_format'], ['png'], 'png');
}

function readSide(param: string, value: unknown): number {
  return readInteger(param, value, { least: smallestSide, most: largestSide, otherwise: usualSide });
}

function readSize(value: unknown): { readonly width: number; readonly height: number } {
  if (value === undefined || value === 'auto') return { width: usualSide, height: usualSide };
  const [, width, height] = (typeof value === 'string' && /^(\d{1,5})x(\d{1,5})$/.exec(value)) || [];
  const sides = [Number(width), Number(height)] as const;
  if (!sides.every((side) => side >= smallestSide && side <= largestSide)) {
    throw invalid('size', `must be <width>x<height>, each from ${smallestSide} to ${largestSide}.`);
  }
  return { width: sides[0], height: sides[1] };
}

function checkCfg(value: unknown = 0): void {
  if (typeof value !== 'number' || value < 0 || value > highestCfg) {
    throw invalid('cfg', `must be a number from 0 to ${highestCfg}.`);
  }
}
