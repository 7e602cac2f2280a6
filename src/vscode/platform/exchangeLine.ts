import type { Exchange } from '../../api/exchange.ts';

/**
 * `POST host/v1/chat/completions · 200 · 0.31 s head · 3.40 s · 412 → 261 tokens · req_8f2c1a`: facts about the
 * exchange, without any content.
 */
export function exchangeLine(exchange: Exchange): string {
  const { method, host, path, status, requestId, via, headMs, durationMs, outcome, failure, usage } = exchange;
  return [
    `${method} ${host}${path}`,
    status === undefined ? 'no answer' : String(status),
    ...(outcome === 'ok' ? [] : [failure === undefined ? outcome : `${outcome}: ${failure}`]),
    ...(headMs === undefined ? [] : [`${seconds(headMs)} head`]),
    seconds(durationMs),
    ...(usage === undefined ? [] : [`${usage.promptTokens ?? '?'} → ${usage.completionTokens ?? '?'} tokens`]),
    ...(via === 'host' ? ['over the editor’s own fetch'] : []),
    ...(requestId === undefined ? [] : [requestId]),
  ].join(' · ');
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
