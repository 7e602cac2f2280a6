import { parseArgs } from 'node:util';

/** What `npm test` runs. */
export interface TestOptions {
  /** Names of suites; undefined for those of a whole run. */
  readonly only: readonly string[] | undefined;
  /** Part of the tests' titles. */
  readonly grep: string | undefined;
  readonly changed: boolean;
  readonly release: boolean;
}

/** Its message is for the person who typed the command. */
export class UsageError extends Error {}

export const testUsage = `npm test                              everything that CI runs, about 30 minutes
npm test -- --only unit,host          some suites
npm test -- --only ui --grep 'text'   tests of these suites whose titles contain the text
npm test -- --changed                 what uncommitted and unpushed changes affect
npm run test:release                  every suite`;

const options = {
  only: { type: 'string' },
  grep: { type: 'string' },
  changed: { type: 'boolean', default: false },
  release: { type: 'boolean', default: false },
} as const;

/**
 * @param args without Node and the script
 * @param env has what npm took for its own: `npm test --changed`, without the `--` between them
 * @param suites that there are
 * @throws {UsageError} if something else would run than is meant
 */
export function readTestOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  suites: readonly string[],
): TestOptions {
  // Not `only`: npm has an option of that name, which can be in somebody's .npmrc.
  const taken = ['grep', 'changed', 'release'].find((name) => env[`npm_config_${name}`] !== undefined);
  if (taken !== undefined) throw new UsageError(`npm took --${taken} for itself. Write -- before it.`);
  const { only, grep, changed, release } = parsed(args);
  const names = only?.split(',');
  const unknown = names?.find((name) => !suites.includes(name));
  if (unknown !== undefined) throw new UsageError(`--only knows ${suites.join(', ')}; not "${unknown}".`);
  if (grep === '') throw new UsageError('--grep needs a part of a title.');
  return { only: names, grep, changed, release };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
