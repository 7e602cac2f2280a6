import type { ModelRef } from '../../shared/modelRef.ts';
import { ApiError } from '../../api/apiError.ts';
import { mayHaveBeenMade } from '../../api/calls/mayHaveBeenMade.ts';
import type { ChatEvent } from '../../api/types.ts';
import { isComparisonId } from '../../core/experiments/experimentId.ts';
import { plannedOperation } from '../../core/experiments/experimentPlan.ts';
import type { PlannedSend, SendPlanned, SentReply } from '../../core/experiments/experimentRun.ts';
import { ReplySampler } from '../../core/experiments/replySample.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import type { RequestOrigin } from '../../core/requests/requestRecord.ts';
import { splitUnopenedThoughts } from '../../shared/text/unopenedThoughts.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';

export interface RecordedSenderDeps {
  readonly experimentId: string;
  readonly keepsReplies: boolean;
  readonly hasOwnTemperature?: boolean | undefined;
  /** The calls that request history records, to the service that has the model. */
  readonly callsFor: (model: ModelRef, origin: RequestOrigin) => Pick<InferenceCalls, 'stream'>;
  /** Called for each event of a reply, soon after it arrives. Must be quick and not throw. */
  readonly onEvent?: (planned: PlannedSend, event: ChatEvent) => void;
  /** Removes everything that could be a secret from an error. */
  readonly clean: <T>(data: T) => T;
  /** Removes the key from a reply, and nothing else: what is expected of it could be about a header. */
  readonly cleanBody: <T>(data: T) => T;
}

/**
 * Sends the requests of an experiment as ordinary ones: each is in request history, where it can be opened, run again,
 * and copied as code. Its origin there names the experiment and the attempt.
 */
export function recordedSender({
  experimentId,
  keepsReplies,
  hasOwnTemperature,
  callsFor,
  onEvent,
  clean,
  cleanBody,
}: RecordedSenderDeps): SendPlanned {
  return async (planned, signal) => {
    const { attempt, body, request } = planned;
    // Replies that race each other are compared as a user gets them, so they count like those of a chat.
    const load = isComparisonId(experimentId) ? 1 : request.load;
    const calls = callsFor(request.model.id, {
      kind: 'experiment',
      experiment: {
        id: experimentId,
        attempt,
        ...(load > 1 && { load }),
        ...(request.isWarmUp && { isWarmUp: true }),
      },
    });
    let sampler = newSampler();
    let wasSent = false;
    let isNewAttempt = true;
    let text = '';
    let reasoning = '';
    let finishReason: string | undefined;
    let requestId: string | undefined;
    let isComplete = false;
    const kept = (): Pick<SentReply, 'text' | 'reasoning'> => {
      const { text: said, reasoning: thought } = splitUnopenedThoughts(text);
      const thoughts = reasoning + thought;
      return {
        ...(said !== '' && { text: cleanBody(said) }),
        ...(thoughts !== '' && { reasoning: cleanBody(thoughts) }),
      };
    };
    const reply = (outcome: SentReply['outcome'], failure?: ApiFailure): SentReply => ({
      outcome,
      // A request that might have been charged was sent, no matter what was observed of it here.
      wasSent: wasSent || (failure !== undefined && mayHaveBeenMade(failure)),
      ...(failure !== undefined && { failure: clean(failure) }),
      ...(finishReason !== undefined && { finishReason }),
      ...(requestId !== undefined && { requestId }),
      ...(wasSent && { sample: sampler.sample(performance.now(), body.stream) }),
      ...kept(),
    });
    const heard = (event: ChatEvent): void => {
      sampler.heard(event);
      // The time of a refused one, which was sent again without what was wrong with it, isn't the reply's.
      if (event.type === 'attempt') isNewAttempt = true;
      onEvent?.(planned, event);
      // A response is proof enough.
      if (event.type !== 'attempt' && event.type !== 'retrying') wasSent = true;
      if (event.type === 'text' && keepsReplies) text += event.text;
      else if (event.type === 'reasoning' && keepsReplies) reasoning += event.text;
      else if (event.type === 'finish') finishReason = event.reason;
      else if (event.type === 'opened') requestId = event.requestId;
      else if (event.type === 'end') isComplete = event.complete;
    };
    try {
      const observer = {
        onWire: () => {
          // Until now there might have been no connection, and no free slot, which isn't the service's time.
          if (isNewAttempt) sampler = newSampler();
          isNewAttempt = false;
          wasSent = true;
        },
        textArrived: (atMs: number) => sampler.arrived(atMs),
      };
      for await (const event of calls.stream(plannedOperation(body, hasOwnTemperature), { signal, observer }))
        heard(event);
      return reply(isComplete ? 'done' : 'incomplete');
    } catch (error) {
      if (signal.aborted) return reply('stopped');
      if (!(error instanceof ApiError)) return reply('failed', { kind: 'unexpected', message: String(error) });
      if ('requestId' in error.failure) requestId = error.failure.requestId ?? requestId;
      return reply('failed', error.failure);
    }
  };
}

function newSampler(): ReplySampler {
  const now = performance.now();
  return new ReplySampler(performance.timeOrigin + now, now);
}
