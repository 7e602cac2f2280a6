import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ChatOperation } from '../operations/chatCompletion.ts';
import { hasAcceptedImages } from './imageFacts.ts';
import { hasContext, missingContext, withoutContexts, withSubstitutes } from './lostContexts.ts';
import { contextFields, messageRules, refusedFields, type RefusedField } from './refusedFields.ts';
import type { FactStore } from './serviceFacts.ts';
import { brokenRule, byRule } from './strictMessages.ts';

/** Words in a refusal for a field that a service doesn't know or want. */
const unwantedWords =
  '(?:extra_forbidden|extra (?:input|field)|unknown|unrecognized|unexpected|unsupported|cannot find field|remove the' +
  '|additional propert|not (?:supported|permitted|allowed|recognized|accepted))';

/** In tokens, for a model that thinks before it writes a short reply. Still a limit, because they're charged. */
const enoughToThink = 4096;

/** A chat's request with the fields that its model accepts. */
export interface AcceptedFields {
  readonly request: (service: string) => object;
  /** True if the request should be sent again, because it's another one from now on. */
  readonly corrects: (failure: ApiFailure) => boolean;
}

/**
 * OpenAI's reasoning models refuse `max_tokens`, and say to use `max_completion_tokens`, which few other services know.
 * They also refuse any temperature. A number that the user set isn't left out; one of Parlance's own is.
 *
 * Gateways pass on their models' reasoning, but not all of those accept it back, and what one model refuses, its next
 * version can require.
 */
export function acceptedFields(operation: ChatOperation, facts: FactStore, now: () => number): AcceptedFields {
  const { request: given, ownFields = [] } = operation;
  const { model } = given;
  const tried = new Set<RefusedField>();
  const restored = new Set<RefusedField>();
  let refused: ReadonlySet<RefusedField> = tried;
  let service: string | undefined;
  let sent: object = given;
  let isLimitRaised = false;
  let { messages } = given;
  let sentMessages = messages;
  return {
    request: (to) => {
      service = to;
      const remembered = refusedFields(facts.of(to).fieldsByModel ?? {}, model, now());
      refused = new Set([...remembered.filter((field) => !restored.has(field)), ...tried]);
      const unwanted = contextFields.filter((field) => refused.has(field));
      sentMessages = unwanted.length === 0 ? messages : withoutContexts(messages, unwanted);
      for (const rule of messageRules) if (refused.has(rule)) sentMessages = byRule(rule, sentMessages);
      sent = Object.fromEntries(
        Object.entries({ ...given, messages: sentMessages }).flatMap(([name, value]): [string, unknown][] => {
          if (name === 'max_tokens') {
            return [[refused.has(name) ? 'max_completion_tokens' : name, isLimitRaised ? enoughToThink : value]];
          }
          return name === 'temperature' && refused.has(name) && ownFields.includes(name) ? [] : [[name, value]];
        }),
      );
      return sent;
    },
    corrects: (failure) => {
      if (failure.kind === 'noImageInput' && service !== undefined) forgetImages(facts, service, model, now());
      const words = refusalWords(failure);
      if (words === undefined || service === undefined) return false;
      const field = numberRefused(words);
      if (field !== undefined && field in sent && !tried.has(field)) {
        if (field === 'temperature' && !ownFields.includes(field)) return false;
        tried.add(field);
        facts.learnedRefusal(service, model, field, now());
        return true;
      }
      // The server behind a gateway can change, and another might not know the newer name.
      if ('max_completion_tokens' in sent && !tried.has('max_tokens') && isUnwanted('max_completion_tokens', words)) {
        restored.add('max_tokens');
        facts.forgotRefusal(service, model, 'max_tokens');
        return true;
      }
      if (!isLimitRaised && isTooLittle(words) && ownFields.includes('max_tokens')) {
        isLimitRaised = true;
        return true;
      }
      const rule = brokenRule(words);
      if (rule !== undefined && !refused.has(rule)) {
        tried.add(rule);
        facts.learnedRefusal(service, model, rule, now());
        return true;
      }
      const unwanted = contextFields.filter(
        (name) => !tried.has(name) && hasContext(sentMessages, name) && isUnwanted(name, words),
      );
      for (const name of unwanted) {
        tried.add(name);
        facts.learnedRefusal(service, model, name, now());
      }
      if (unwanted.length > 0) return true;
      const missing = missingContext(words);
      if (missing === undefined) return false;
      // What was refused once is required now.
      const isLeftOut = refused.has(missing) && !tried.has(missing);
      if (isLeftOut) {
        restored.add(missing);
        facts.forgotRefusal(service, model, missing);
      }
      const before = messages;
      messages = withSubstitutes(messages, missing);
      return isLeftOut || messages !== before;
    },
  };
}

function forgetImages(facts: FactStore, service: string, model: string, nowMs: number): void {
  if (hasAcceptedImages(facts.of(service).imagesByModel, model, nowMs)) facts.learnedImages(service, model, undefined);
}

function numberRefused(words: string): 'max_tokens' | 'temperature' | undefined {
  if (
    /\bmax_tokens\b.{0,40}\b(?:not supported|unsupported|deprecated)\b.{0,80}\bmax_completion_tokens\b/is.test(words)
  ) {
    return 'max_tokens';
  }
  const isTemperature = /\btemperature\b.{0,20}\b(?:not support|unsupported|deprecated|only 1 is allowed)/is.test(
    words,
  );
  return isTemperature ? 'temperature' : undefined;
}

/** Such a model thinks first, and fails if that alone takes more. */
function isTooLittle(words: string): boolean {
  return /could not finish the message because max_tokens/i.test(words);
}

/**
 * What the service says about a request that was refused for what is in it: mostly before anything was done, but a model
 * that ran into its limit has already thought.
 */
function refusalWords(failure: ApiFailure): string | undefined {
  if (!('status' in failure) || (failure.status !== 400 && failure.status !== 422)) return undefined;
  if (!('message' in failure)) return undefined;
  // Some services only name the field there.
  return [failure.param, failure.code, failure.message].filter((words) => words !== undefined).join(' ');
}

/** Whether a refusal is about the presence of a field, and not about its value. */
function isUnwanted(field: string, words: string): boolean {
  return new RegExp(`\\b${field}\\b.{0,120}${unwantedWords}|${unwantedWords}.{0,120}\\b${field}\\b`, 'is').test(words);
}
