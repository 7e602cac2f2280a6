import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** The file of a service in this folder. Its name doesn't reveal the base URL. */
export function serviceFile(folder: string, service: string, ending: string): string {
  return join(folder, createHash('sha256').update(service).digest('hex').slice(0, 16) + ending);
}
