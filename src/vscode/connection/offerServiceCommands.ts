import { commandsOf } from '../settings/contributions.ts';
import { lazy } from '../platform/lazy.ts';
import type { Offering } from '../platform/offering.ts';
import type { ServiceCommandsDeps } from './serviceCommands.ts';

export function offerServiceCommands({ commands, services }: Offering<ServiceCommandsDeps>): void {
  const load = lazy(async () => {
    const [{ registerServiceCommands }, shared] = await Promise.all([import('./serviceCommands.ts'), services()]);
    registerServiceCommands(shared);
  });
  commands.take(Object.values(commandsOf.connection), load);
}
