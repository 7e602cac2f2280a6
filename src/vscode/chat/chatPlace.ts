/** Which conversation a question from outside of the chat goes to. */
export type ChatPlace = 'newChat' | 'currentChat';
