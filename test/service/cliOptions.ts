import { parseArgs } from 'node:util';
import { defaultApiKey, defaultTokensPerSecond, type InferenceServiceOptions } from './inferenceService.ts';

const defaultPort = 8787;

export const helpText = `The local inference service: the whole chat API of the specification, on this machine.

Usage: npm run service -- [options]

  --port N                 port of the service; 0 for any free one (default ${defaultPort})
  --legacy-port N          port of the legacy form of the host (default: any free one)
  --key K                  API key that clients must send (default ${defaultApiKey})
  --rate N                 tokens per second; "unpaced" for as fast as they are read (default ${defaultTokensPerSecond})
  --first-token-delay MS   wait before the first token (default 0)
  --credits N              credits of the account; 402 when they are gone (default: unlimited)
  --rate-limit N           requests per minute; 429 beyond (default: none)
  --faults                 list the error and fault models in the catalogue; they work either way
  --models                 print the table of the models as Markdown, and end
  --help                   print this, and end
`;

type Command =
  | { readonly type: 'serve'; readonly options: InferenceServiceOptions }
  | { readonly type: 'printHelp' }
  | { readonly type: 'printModels' };

/** @throws {Error} with a text for the user when an option is unknown or has no fitting value */
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
      faults: { type: 'boolean' },
      models: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return { type: 'printHelp' };
  if (values.models) return { type: 'printModels' };
  const rate = values.rate === 'unpaced' ? Infinity : readNumber('--rate', values.rate, { above: 0 });
  const legacyPort = readPort('--legacy-port', values['legacy-port']);
  const firstTokenDelayMs = readNumber('--first-token-delay', values['first-token-delay'], {});
  const credits = readNumber('--credits', values.credits, {});
  const requestsPerMinute = readNumber('--rate-limit', values['rate-limit'], { above: 0 });
  return {
    type: 'serve',
    options: {
      port: readPort('--port', values.port) ?? defaultPort,
      apiKey: readKey(values.key),
      listFaults: values.faults ?? false,
      ...(rate === undefined ? {} : { tokensPerSecond: rate }),
      ...(legacyPort === undefined ? {} : { legacyPort }),
      ...(firstTokenDelayMs === undefined ? {} : { firstTokenDelayMs }),
      ...(credits === undefined ? {} : { credits }),
      ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    },
  };
}

function readPort(option: string, value: string | undefined): number | undefined {
  const port = readNumber(option, value, {});
  if (port === undefined || (Number.isInteger(port) && port < 65_536)) return port;
  throw new Error(`${option} must be a port: 0 to 65535.`);
}

function readKey(value: string | undefined): string {
  if (value === undefined) return defaultApiKey;
  // What an HTTP header can carry; anything else could never be sent back.
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
