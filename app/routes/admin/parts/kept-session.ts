/** What the browser keeps of a session beside the cookie, under the names of the specification. */

const TOKEN = "admin_token";
const ADMIN = "admin_user";

export interface KeptAdmin {
  username: string;
}

export function keepSession(token: string, admin: KeptAdmin): void {
  try {
    localStorage.setItem(TOKEN, token);
    localStorage.setItem(ADMIN, JSON.stringify(admin));
  } catch {
    // Storage is full or forbidden: the cookie alone carries the session.
  }
}

/** The token, if both entries are there. */
export function keptToken(): string | null {
  try {
    return localStorage.getItem(ADMIN) === null ? null : localStorage.getItem(TOKEN);
  } catch {
    return null;
  }
}

/** The token, which is forgotten. */
export function takeToken(): string | null {
  try {
    const token = localStorage.getItem(TOKEN);
    localStorage.removeItem(TOKEN);
    localStorage.removeItem(ADMIN);
    return token;
  } catch {
    return null;
  }
}
