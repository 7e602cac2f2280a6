/** Schemes that browsers, editors, or operating systems act on, and that no link in a reply may have. */
export const urlSchemes: readonly string[] = (
  'javascript vbscript livescript mocha data blob about view-source jar chrome chrome-extension moz-extension ' +
  'resource res edge brave opera file filesystem ftp ftps sftp smb afp nfs cifs ssh git telnet tn3270 rlogin gopher ' +
  'ws wss wais news nntp snews ldap ldaps imap pop irc ircs xmpp sip sips tel sms mms callto skype facetime msteams ' +
  'slack zoommtg vscode vscode-insiders vscode-webview vscode-resource vscode-remote vscode-userdata code-oss command ' +
  'untitled ms-settings ms-officecmd search-ms shell steam magnet intent'
).split(' ');

/** Spellings that browsers or lexers have accepted as the scheme. */
export function waysToWrite(scheme: string, rest: string): readonly string[] {
  const entity = `&#${scheme.charCodeAt(0)};${scheme.slice(1)}`;
  return [
    `${scheme}:${rest}`,
    `${scheme.toUpperCase()}:${rest}`,
    `${entity}:${rest}`,
    `${scheme}&colon;${rest}`,
    `${scheme.slice(0, 2)}&Tab;${scheme.slice(2)}:${rest}`,
    `${scheme.slice(0, 2)}&NewLine;${scheme.slice(2)}:${rest}`,
    `\u0001${scheme}:${rest}`,
    `%${scheme.charCodeAt(0).toString(16)}${scheme.slice(1)}:${rest}`,
    `\\${scheme}:${rest}`,
    `http:${scheme}:${rest}`,
  ];
}

/** The places in Markdown that can contain a URL. */
export function placesOf(address: string): readonly string[] {
  return [
    `[link](${address})`,
    `[link](<${address}> "title")`,
    `![image](${address})`,
    `[ref][r]\n\n[r]: ${address}`,
    `<${address}>`,
    `[![image](${address})](${address})`,
  ];
}
