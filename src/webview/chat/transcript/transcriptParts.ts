/** What shows messages: a chunk that is loaded while the page asks for its state. */
export { endedWords } from './endedWords.ts';
export { RetryMenu } from './retryMenu.ts';
export { TokenLengths } from '../speed/tokenLengths.ts';
export { Transcript } from './transcript.ts';
export { versionWords } from './versionSwitch.ts';
