import { speedOf } from '../../core/models/measuredModel.ts';
import { abilitiesOf } from '../../core/models/modelAbilities.ts';
import type { RetryModel } from '../../shared/protocol/chatProtocol.ts';
import { rateText } from '../../words/replySpeed.ts';
import type { ModelSources } from '../models/modelSources.ts';

/** Recently used chat models, latest first, then favorites. */
export async function recentModels({ catalog, marks, measured }: ModelSources): Promise<readonly RetryModel[]> {
  await Promise.all([marks.load(), catalog.load()]);
  const { recent, favorites } = marks.view;
  const chats = [...new Set([...recent, ...favorites.toReversed()])].filter((id) => {
    const model = catalog.index.find(id);
    return model === undefined || abilitiesOf(model.model).has('chat');
  });
  return chats.map((id) => {
    const { tokensPerSecond } = speedOf(measured.figures(id));
    return { id, speed: tokensPerSecond === undefined ? '' : rateText(tokensPerSecond) };
  });
}
