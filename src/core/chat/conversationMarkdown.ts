import * as l10n from '@vscode/l10n';
import type { Attachment } from '../../shared/attachment.ts';
import type { Conversation, Message, Reply } from './conversation.ts';
import { endingText } from '../../words/ending.ts';
import { speedText } from '../../words/replySpeed.ts';
import { tokensText } from '../../words/tokens.ts';
import { modelLabel } from '../../words/modelLabel.ts';

/**
 * A conversation as a Markdown document: the original messages, each with the names of its attachments, and each reply
 * with its speed.
 */
export function conversationMarkdown(conversation: Conversation): string {
  const parts = [`# ${conversation.title}`];
  for (const message of conversation.messages()) {
    if (message.role === 'user') {
      parts.push(`## ${headingOf(message, conversation)}`, (message.attachments ?? []).map(attachmentLine).join('\n'));
      parts.push(withFenceClosed(message.text));
      continue;
    }
    parts.push(`## ${headingOf(message, conversation)}`, ...replyParts(message));
  }
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Only the visible version is exported. The heading mentions other versions. */
function headingOf(message: Message, conversation: Conversation): string {
  const name = message.role === 'user' ? l10n.t('You') : modelLabel(message.model);
  const versions = conversation.versions(message.id);
  if (versions.length < 2) return name;
  const number = versions.findIndex((version) => version.id === message.id) + 1;
  return `${name} (${l10n.t('version {0} of {1}', number, versions.length)})`;
}

/** One reply as a document of its own. */
export function replyMarkdown(reply: Reply): string {
  return `${[`# ${modelLabel(reply.model)}`, ...replyParts(reply)].filter((part) => part !== '').join('\n\n')}\n`;
}

function replyParts(reply: Reply): readonly string[] {
  const facts = replyFacts(reply);
  return [withFenceClosed(reply.text), facts === '' ? '' : `*${facts}*`];
}

function attachmentLine(attachment: Attachment): string {
  const name = codeSpan(attachment.detail === '' ? attachment.name : attachment.detail);
  if (attachment.kind !== 'picture')
    return `- ${l10n.t('Context: {0} ({1})', name, tokensText(attachment.tokens, true))}`;
  return `- ${l10n.t('Image: {0} ({1} × {2})', name, attachment.width, attachment.height)}`;
}

/** A name isn't Markdown, no matter what it contains. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), (run) => run[0].length));
  const ticks = '`'.repeat(longest + 1);
  const room = longest > 0 ? ' ' : '';
  return `${ticks}${room}${text.replace(/\s+/g, ' ')}${room}${ticks}`;
}

function replyFacts({ end }: Reply): string {
  const ending = endingText({ state: end?.outcome ?? 'interrupted', finishReason: end?.finishReason });
  const speed = speedText(end?.metrics ?? {});
  return [...(speed === '' ? [] : [speed]), ...(ending === undefined ? [] : [ending])].join(' · ');
}

/** Prevents a reply that ended inside a code block from turning the rest of the document into code. */
export function withFenceClosed(text: string): string {
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const [, marks, rest] = fence ?? [];
    if (marks === undefined || rest === undefined) continue;
    if (open === undefined) {
      // Backticks after backticks are inline code.
      if (marks.startsWith('~') || !rest.includes('`')) open = marks;
    } else if (marks[0] === open[0] && marks.length >= open.length && rest.trim() === '') open = undefined;
  }
  return open === undefined ? text : `${text.trimEnd()}\n${open}`;
}
