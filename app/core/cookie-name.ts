/**
 * On https a cookie's name binds it to this host, https and the whole site: no neighbouring host can
 * plant one. Browsers refuse the prefix on plain http.
 */
export function hostCookieName(publicUrl: string, name: string): string {
  return publicUrl.startsWith("https:") ? `__Host-${name}` : name;
}
