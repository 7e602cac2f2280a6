/** `npm run package`: creates `parlance-<version>.vsix`. */
import { packageExtension } from './packageExtension.ts';

try {
  console.log(`Made ${await packageExtension()}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
