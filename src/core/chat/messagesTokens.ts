import type { ChatRequest } from '../../api/operations/chatCompletion.ts';
import { dataUrlBytes } from '../../api/operations/dataUrlBytes.ts';
import { imageSize } from '../media/imageSize.ts';
import { isPartlyRead, leastTokens } from '../requests/leastTokens.ts';
import { usualCharactersPerToken } from '../../words/tokens.ts';
import { pictureTokens } from './pictureTokens.ts';

type Messages = ChatRequest['messages'];

/** For an image whose size isn't known: about a megapixel. */
const USUAL_PICTURE_TOKENS = 1600;
/** Services that count tiles take this much even for a small one. */
const LEAST_FOR_PICTURE = 2000;
/** What chat templates add to each message, and once: role, separators, the date, a system prompt of their own. */
const TEMPLATE_TOKENS_PER_MESSAGE = 16;
const TEMPLATE_TOKENS = 64;

/** Decoding an image takes longer than everything else, and a page asks at each key. */
const knownPictures = new WeakMap<object, number>();

/** Estimated tokens of the messages of a request. */
export function messagesTokens(messages: Messages): number {
  return sumOf(messages, { text: textTokens, picture: tokensOfPicture });
}

/**
 * Tokens that the messages can't exceed: no tokenizer has more of them than bytes. That of images is an estimate on the
 * high side, because services count them in different ways.
 */
export function mostTokensOf(messages: Messages): number {
  const most = sumOf(messages, {
    text: byteLength,
    picture: (part) => Math.max(LEAST_FOR_PICTURE, 2 * tokensOfPicture(part)),
  });
  return most + messages.length * TEMPLATE_TOKENS_PER_MESSAGE + TEMPLATE_TOKENS;
}

/**
 * If the service dropped some of these messages: the tokens that they have at least, without images.
 * @param counted the service's count of them, including what was in its cache
 */
export function sentAtLeast(messages: Messages, counted: number | undefined): number | undefined {
  if (counted === undefined) return undefined;
  const least = Math.floor(sumOf(messages, { text: leastTokens, picture: () => 0 }));
  return isPartlyRead(counted, least) ? least : undefined;
}

function sumOf(
  messages: Messages,
  of: { readonly text: (text: string) => number; readonly picture: (part: object) => number },
): number {
  const ofPart = (part: object): number => {
    if ('text' in part && typeof part.text === 'string') return of.text(part.text);
    return 'image_url' in part ? of.picture(part) : 0;
  };
  return messages.reduce(
    (sum, { content }) =>
      sum + (typeof content === 'string' ? of.text(content) : content.reduce((all, part) => all + ofPart(part), 0)),
    0,
  );
}

/** Chinese, Japanese, Korean, and emoji have about a token per character, other scripts one per two. */
function textTokens(text: string): number {
  // A page asks at each key, about a whole conversation. Nearly all of most is ASCII, which is counted fast.
  if (byteLength(text) === text.length) return Math.ceil(text.length / usualCharactersPerToken);
  let others = 0;
  let eastAsian = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x2e80) eastAsian += 1;
    else if (code >= 0x250) others += 1;
  }
  const latin = text.length - others - eastAsian;
  return Math.ceil(latin / usualCharactersPerToken + others / 2 + eastAsian);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function tokensOfPicture(part: object): number {
  const known = knownPictures.get(part);
  if (known !== undefined) return known;
  const bytes = dataUrlBytes(urlIn(part));
  const size = bytes === undefined ? undefined : imageSize(bytes);
  const tokens = size === undefined ? USUAL_PICTURE_TOKENS : pictureTokens(size);
  knownPictures.set(part, tokens);
  return tokens;
}

function urlIn(part: object): string {
  const image = 'image_url' in part ? part.image_url : undefined;
  return typeof image === 'object' && image !== null && 'url' in image && typeof image.url === 'string'
    ? image.url
    : '';
}
