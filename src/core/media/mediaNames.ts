import type { MadeType } from '../../shared/media.ts';
import { isDeviceName } from '../chat/fileNameFromTitle.ts';
import { escapeHtml } from '../safety/escapeHtml.ts';

const longestName = 48;

/** A file name from the words of a prompt, without an extension: only letters, digits, and dashes. */
export function nameFromPrompt(prompt: string, fallback: string): string {
  const plain = prompt
    .slice(0, 400)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  let name = '';
  for (const word of words) {
    const longer = name === '' ? word.slice(0, longestName) : `${name}-${word}`;
    if (longer.length > longestName) break;
    name = longer;
  }
  return name === '' || isDeviceName(name) ? fallback : name;
}

/** The markup that shows a file at a place in a text. @param path relative, with forward slashes. */
export function mediaTag(language: 'markdown' | 'html', type: MadeType, path: string, title: string): string {
  const address = path.split('/').map(encodeSegment).join('/');
  const words = title.replace(/\s+/g, ' ').trim().slice(0, 200);
  switch (type) {
    case 'video':
      return `<video src="${address}" controls title="${escapeHtml(words)}"></video>`;
    case 'image':
      if (language === 'html') return `<img src="${address}" alt="${escapeHtml(words)}">`;
      return `![${words.replace(/[\\[\]<>&`*_]/g, String.raw`\$&`)}](${address})`;
  }
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/[()'!*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
