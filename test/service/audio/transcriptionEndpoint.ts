import type { Exchange } from '../exchange.ts';
import { playModelFault } from '../faults/playModelFault.ts';
import { findModel, unable } from '../models/findModel.ts';
import type { ServiceSettings } from '../serviceSettings.ts';
import { countTokens } from '../tokenizer.ts';
import { describeAudio, type Transcript } from './describeAudio.ts';
import { readTranscriptionForm } from './transcriptionForm.ts';

/** Audio transcription, on the native and on the compatible path. */
export async function answerTranscription(exchange: Exchange, settings: ServiceSettings): Promise<void> {
  const form = await readTranscriptionForm(exchange.request);
  const { model: id, bytes, fileName, mediaType } = form;
  exchange.record({
    // Instead of the form's bytes, which nobody could read.
    requestBody: { model: id, file: { name: fileName, type: mediaType, bytes: bytes.length } },
    model: id,
    promptTokens: 0,
  });

  const model = findModel(settings.models, id);
  const { behavior } = model;
  if (behavior.type !== 'breaking' && behavior.type !== 'hearing') throw unable(model, 'transcribe audio');
  const balance = model.balance ?? settings.account;
  balance.check();
  if (behavior.type === 'breaking') {
    await playModelFault(exchange, model.id, behavior.fault, settings);
    return;
  }

  const transcript = describeAudio(bytes, fileName, mediaType);
  const seconds = transcript.durationSeconds ?? 0;
  const cost = model.price.perRequest + seconds * (model.price.perSecond ?? 0);
  balance.charge(cost);
  exchange.record({ cost, completionTokens: countTokens(transcript.text), made: `${seconds.toFixed(2)} s of audio` });
  sendTranscript(exchange, transcript, form.answer ?? (behavior.isVerbose ? 'verbose_json' : 'json'));
}

function sendTranscript(exchange: Exchange, transcript: Transcript, form: 'json' | 'verbose_json' | 'text'): void {
  const { text, durationSeconds, segments } = transcript;
  exchange.settle('done', { totalSeconds: (performance.now() - exchange.arrivedAt) / 1000 });
  switch (form) {
    case 'json':
      exchange.sendJson(200, { text });
      return;
    case 'verbose_json':
      exchange.sendJson(200, {
        task: 'transcribe',
        language: 'english',
        duration: durationSeconds ?? 0,
        text,
        segments,
      });
      return;
    case 'text':
      exchange.record({ status: 200 });
      exchange.response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
  }
}
