import type { Exchange } from '../exchange.ts';
import type { ServiceSettings } from '../serviceSettings.ts';
import type { Fault } from './faultScript.ts';
import { playFault } from './playFault.ts';
import { Spoken } from './spoken.ts';

/**
 * Plays a fault on behalf of a model.
 * @throws the signal's AbortError if the client leaves
 */
export async function playModelFault(
  exchange: Exchange,
  model: string,
  fault: Fault,
  settings: ServiceSettings,
  promptTokens = 0,
): Promise<void> {
  const elsewhere = settings.originElsewhere(exchange) + exchange.path;
  const context = { requestId: exchange.id, model, promptTokens, elsewhere };
  await playFault(exchange, fault.answer(new Spoken(context), context));
}
