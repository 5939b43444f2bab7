#include "support/Utf8.h"

namespace clm {

namespace {

unsigned char byteAt(std::string_view text, std::size_t offset) { return static_cast<unsigned char>(text[offset]); }

bool isContinuation(std::string_view text, std::size_t offset) {
  return offset < text.size() && (byteAt(text, offset) & 0xC0) == 0x80;
}

/// Length that the first byte announces; 0 when it begins no character.
std::size_t announcedLength(unsigned char first) {
  if (first < 0x80)
    return 1;
  if (first >= 0xC2 && first <= 0xDF)
    return 2;
  if (first >= 0xE0 && first <= 0xEF)
    return 3;
  if (first >= 0xF0 && first <= 0xF4)
    return 4;
  return 0;
}

} // namespace

std::size_t utf8Length(std::string_view text, std::size_t offset) {
  unsigned char first = byteAt(text, offset);
  std::size_t length = announcedLength(first);
  for (std::size_t i = 1; i < length; ++i)
    if (!isContinuation(text, offset + i))
      return 0;
  if (length < 3)
    return length;
  // The second byte of longer forms excludes overlong encodings, surrogates and values above U+10FFFF.
  unsigned char second = byteAt(text, offset + 1);
  bool isExcluded = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                    (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return isExcluded ? 0 : length;
}

char32_t utf8CodePoint(std::string_view text, std::size_t offset) {
  std::size_t length = utf8Length(text, offset);
  if (length <= 1)
    return byteAt(text, offset);
  char32_t value = byteAt(text, offset) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i)
    value = value << 6U | (byteAt(text, offset + i) & 0x3FU);
  return value;
}

} // namespace clm
