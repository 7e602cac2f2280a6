import type { languages } from './translations.ts';

type Language = (typeof languages)[number];

interface LanguageRules {
  /** Words that were replaced by a better one from VS Code's own language packs. */
  readonly banned: RegExp;
  readonly marks: RegExp;
  /** Text that violates a rule and is still right. */
  readonly allowed?: RegExp;
}

// A line break must not separate a number from its unit.
const plainSpaceBeforeUnit = String.raw`[\d}] (?:ms|s|min|h|fps|[KMG]B|[KMG]o|[Tt]ok\/s|%)(?!\p{L})`;
const kana = String.raw`\p{sc=Hira}\p{sc=Kana}ー`;
const loanword = 'プロンプト|ファイル|ウィンドウ|ストレージ|ビュー|メッセージ|アドレス|ツリー|モデル';

const rules: Readonly<Record<Language, LanguageRules>> = {
  de: {
    banned:
      /Basisadresse|[Kk]atalog|berechne|[Aa]n(?:ge)?halten|Knopf|Platte|Rechner|\bLogs?\b|im Strom|B\/s|[Ee]rzeug|[Ww]omöglich|Passw/,
    marks: new RegExp(String.raw`${plainSpaceBeforeUnit}| …$`, 'u'),
  },
  es: {
    banned: /[Dd]irección base|[Aa]ñ[aá]d|[Ee]l[ei][gj]|catálogo|[Ii]gualmente|\b[Uu]sted/,
    marks: new RegExp(String.raw`${plainSpaceBeforeUnit}|[\d}]%|[«»“”]`, 'u'),
    // "Usted" is the label of the user's own messages.
    allowed: /^Usted$|dañad/,
  },
  fr: {
    banned: /adresse de base|stockage secret|changement|[Cc]hoisi|catalogue|\bfaute\b|[Cc]lés? d[’']API|^(?:Oui|Non)$/,
    marks: new RegExp(String.raw`${plainSpaceBeforeUnit}| [:;?!»%]|« |\p{L}'\p{L}`, 'u'),
  },
  ja: {
    banned: /ベースアドレス|返答|回答|提供元|カタログ|却下|見られません/,
    // A space between Japanese and Latin letters or a placeholder, but not around the word for "after".
    marks: new RegExp(
      String.raw` %|[\p{sc=Han}${kana}](?<!後に?)[A-Za-z{]|[A-Za-z}](?![後に])[\p{sc=Han}${kana}]|[\p{sc=Kana}ー](?:${loanword})`,
      'u',
    ),
    allowed: /レビュー/,
  },
  'zh-cn': {
    banned: /基础地址|您|图片|提供方|回答|书写|目录|代理给出|选区/,
    marks: /[（）]| %|(?!后)\p{sc=Han}[A-Za-z{]|[A-Za-z}](?!后)\p{sc=Han}/u,
  },
};

/** As wide as the narrowest space for a label; a Chinese or Japanese character is two wide. */
const widestLabel = 40;

/** What is wrong with a translation, in a few words each; the English text determines what it must match. */
export function translationFaults(language: Language, english: string, text: string): readonly string[] {
  const faults: string[] = [];
  const { banned, marks, allowed } = rules[language];
  const words = text.replace(/`[^`]*`|\]\([^)]*\)/g, '');
  const mayHit = (rule: RegExp): boolean => rule.test(words) && !(allowed?.test(words) ?? false);
  if (mayHit(banned)) faults.push('a term that is not used');
  if (mayHit(marks)) faults.push('a space or a mark');
  if (english.includes('…') !== text.includes('…')) faults.push('the ellipsis');
  if (isSentence(english) !== isSentence(text) && english !== 'Max tokens') faults.push('the final period');
  if (english.length <= 24 && width(text) > widestLabel) faults.push('too long for a label');
  return faults;
}

function isSentence(text: string): boolean {
  return /[.。]$/.test(text.trim());
}

function width(text: string): number {
  return text.length + (text.match(/[\u1100-\uffef]/g)?.length ?? 0);
}
