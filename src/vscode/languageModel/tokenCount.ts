import * as vscode from 'vscode';

/** What a picture comes to with most models; none tells before it is sent. */
const tokensPerPicture = 768;
/** Roles and ends of messages. */
const tokensPerMessage = 4;

/** An estimate, and rather too high than too low: only the service knows the model's tokenizer. */
export function tokenCount(text: string | vscode.LanguageModelChatRequestMessage): number {
  return typeof text === 'string' ? textTokens(text) : tokensPerMessage + sum(text.content.map(partTokens));
}

function partTokens(part: unknown): number {
  if (part instanceof vscode.LanguageModelTextPart) return textTokens(part.value);
  if (part instanceof vscode.LanguageModelToolCallPart) return textTokens(part.name + JSON.stringify(part.input));
  if (part instanceof vscode.LanguageModelToolResultPart) return sum(part.content.map(partTokens));
  if (part instanceof vscode.LanguageModelPromptTsxPart) return textTokens(JSON.stringify(part.value));
  if (!(part instanceof vscode.LanguageModelDataPart)) return 0;
  return part.mimeType.startsWith('image/') ? tokensPerPicture : Math.ceil(part.data.byteLength / 4);
}

/** Four Latin characters a token, as prose and code come to; other scripts come to about one each. */
function textTokens(text: string): number {
  const others = text.match(/[^\p{ASCII}\p{Script=Latin}]/gu)?.length ?? 0;
  return Math.ceil((text.length - others) / 4) + others;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
