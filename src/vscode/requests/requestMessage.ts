import * as v from 'valibot';
import { cardActions } from '../../core/problems/mediaProblems.ts';
import { maxLanguageLength, maxLinkLength, maxTextLength } from '../../shared/messageLimits.ts';
import { requestActs, type RequestToHost } from '../../shared/protocol/requestProtocol.ts';

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const text = v.pipe(v.string(), v.maxLength(maxTextLength));

/** What a request's page sends. It shows a model's text, so it isn't trusted. */
export const requestMessageSchema = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('act'), id, act: v.picklist(requestActs) }),
  v.object({ type: v.literal('swap') }),
  v.object({ type: v.literal('showDifferences') }),
  v.object({
    type: v.literal('runAction'),
    id,
    action: v.picklist(cardActions),
    model: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(256))),
  }),
  v.object({ type: v.literal('copyText'), text }),
  v.object({ type: v.literal('insertCode'), text }),
  v.object({ type: v.literal('compareCode'), text }),
  v.object({ type: v.literal('openCode'), text, language: v.pipe(v.string(), v.maxLength(maxLanguageLength)) }),
  v.object({ type: v.literal('openLink'), href: v.pipe(v.string(), v.maxLength(maxLinkLength)) }),
]) satisfies v.GenericSchema<unknown, RequestToHost>;
