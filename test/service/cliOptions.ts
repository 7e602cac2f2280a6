import { parseArgs } from 'node:util';
import { catalogShapes } from './catalog/catalogBody.ts';
import type { CatalogForm } from './catalog/catalogEndpoint.ts';
import {
  defaultApiKey,
  defaultCatalogSize,
  defaultFileLifetimeSeconds,
  defaultNativeSegment,
  defaultTokensPerSecond,
  defaultVideoSeconds,
  type InferenceServiceOptions,
} from './inferenceService.ts';
import { errorModels } from './models/errorModels.ts';
import { faultModels } from './models/faultModels.ts';

const defaultPort = 8787;

export const helpText = `The local inference service: the whole API of the specification, on this machine.

Usage: npm run service -- [options]

  --port N                 port of the service; 0 for any free one (default ${defaultPort})
  --legacy-port N          port of the legacy form of the host (default: any free one)
  --key K                  API key that clients must send (default ${defaultApiKey})
  --rate N                 tokens per second; "unpaced" for as fast as they are read (default ${defaultTokensPerSecond})
  --first-token-delay MS   wait before the first token (default 0)
  --credits N              credits of the account; 402 when they are gone (default: unlimited)
  --rate-limit N           requests per minute; 429 beyond (default: none)
  --native-segment NAME    the service's own name in the native paths (default ${defaultNativeSegment})
  --video-seconds N        least time that the making of a video takes (default ${defaultVideoSeconds})
  --file-lifetime N        seconds that links to videos and images are good (default ${defaultFileLifetimeSeconds})
  --catalog-size N       models in the catalog, such as 5000 (default ${defaultCatalogSize})
  --catalog-form FORM    ${catalogShapes.map(({ name }) => name).join(', ')};
                           or an error or fault, such as error-503 (default list)
  --faults                 list the error and fault models in the catalog; they work either way
  --models                 print the tables of the models and faults as Markdown, and end
  --help                   print this, and end
`;

type Command =
  | { readonly type: 'serve'; readonly options: InferenceServiceOptions }
  | { readonly type: 'printHelp' }
  | { readonly type: 'printModels' };

/** @throws {Error} with a message for the user if an option is unknown or has an invalid value */
export function readCommand(args: readonly string[]): Command {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      'legacy-port': { type: 'string' },
      key: { type: 'string' },
      rate: { type: 'string' },
      'first-token-delay': { type: 'string' },
      credits: { type: 'string' },
      'rate-limit': { type: 'string' },
      'native-segment': { type: 'string' },
      'video-seconds': { type: 'string' },
      'file-lifetime': { type: 'string' },
      'catalog-size': { type: 'string' },
      'catalog-form': { type: 'string' },
      faults: { type: 'boolean' },
      models: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return { type: 'printHelp' };
  if (values.models) return { type: 'printModels' };
  const options = {
    port: readPort('--port', values.port) ?? defaultPort,
    legacyPort: readPort('--legacy-port', values['legacy-port']),
    apiKey: readKey(values.key),
    tokensPerSecond: values.rate === 'unpaced' ? Infinity : readNumber('--rate', values.rate, { above: 0 }),
    firstTokenDelayMs: readNumber('--first-token-delay', values['first-token-delay'], {}),
    credits: readNumber('--credits', values.credits, {}),
    requestsPerMinute: readNumber('--rate-limit', values['rate-limit'], { above: 0 }),
    nativeSegment: readSegment(values['native-segment']),
    videoSeconds: readNumber('--video-seconds', values['video-seconds'], {}),
    fileLifetimeSeconds: readNumber('--file-lifetime', values['file-lifetime'], {}),
    catalogSize: readCount('--catalog-size', values['catalog-size']),
    catalogForm: readCatalogForm(values['catalog-form']),
    listFaults: values.faults ?? false,
  };
  return { type: 'serve', options: withoutUndefined(options) };
}

/** Options that weren't given are left to the service. */
function withoutUndefined<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function readSegment(value: string | undefined): string | undefined {
  if (value === undefined || /^[a-z0-9][a-z0-9._-]*$/i.test(value)) return value;
  throw new Error('--native-segment must be a name of letters, digits, dots, hyphens and underscores.');
}

function readCount(option: string, value: string | undefined): number | undefined {
  const count = readNumber(option, value, {});
  if (count === undefined || Number.isInteger(count)) return count;
  throw new Error(`${option} must be a whole number.`);
}

function readCatalogForm(value: string | undefined): CatalogForm | undefined {
  const shape = catalogShapes.find(({ name }) => name === value)?.name;
  if (value === undefined || shape !== undefined) return shape;
  if (isFault(value)) return value;
  throw new Error('--catalog-form must be one of the forms in --help, or an error or fault model without `local/`.');
}

function isFault(name: string): name is Extract<CatalogForm, `error-${number}` | `fault-${string}`> {
  return [...errorModels(), ...faultModels()].some(({ id }) => id === `local/${name}`);
}

function readPort(option: string, value: string | undefined): number | undefined {
  const port = readNumber(option, value, {});
  if (port === undefined || (Number.isInteger(port) && port < 65_536)) return port;
  throw new Error(`${option} must be a port: 0 to 65535.`);
}

function readKey(value: string | undefined): string {
  if (value === undefined) return defaultApiKey;
  // The characters of an HTTP header; nothing else could be sent back.
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new Error('--key must be visible ASCII characters without spaces.');
}

function readNumber(
  option: string,
  value: string | undefined,
  { above }: { readonly above?: number },
): number | undefined {
  if (value === undefined) return undefined;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const fits = Number.isFinite(number) && (above === undefined ? number >= 0 : number > above);
  if (!fits) throw new Error(`${option} must be a number ${above === undefined ? 'of at least 0' : `above ${above}`}.`);
  return number;
}
