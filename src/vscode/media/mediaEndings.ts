const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'video/ogg': 'ogv',
};

/** The file extension for a media type. */
export function endingOf(mediaType: string): string {
  return endings[mediaType] ?? 'bin';
}

const inputTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  mp4: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  webm: 'audio/webm',
};

/** The media type of a selected file, by its name. */
export function inputTypeOf(name: string): string | undefined {
  return inputTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
}

export const imageInputEndings: readonly string[] = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif'];
export const audioInputEndings: readonly string[] = Object.keys(inputTypes).filter(
  (ending) => !imageInputEndings.includes(ending),
);
