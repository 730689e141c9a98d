#pragma once

#include <tuple>
#include <type_traits>

namespace kaon::detail {

/// The types of a function's parameters and result: for functions, lambdas and other objects with
/// one operator(). `Arguments` are as declared, `Values` without const and references.
template <class F>
struct SignatureOf {
  static_assert(sizeof(F) == 0,
                "the parameters of a function need types: write [](float pt) {...}, not [](auto "
                "pt) {...}; wrap a template or an overloaded function in a lambda with types");
};

template <class R, class... A>
struct Signature {
  using Result = R;
  using Arguments = std::tuple<A...>; // a list of types, never constructed
  using Values = std::tuple<std::remove_cvref_t<A>...>;
};
template <class Member>
struct MemberSignature;
template <class R, class C, class... A>
struct MemberSignature<R (C::*)(A...)> : Signature<R, A...> {};
template <class R, class C, class... A>
struct MemberSignature<R (C::*)(A...) noexcept> : Signature<R, A...> {};
template <class R, class C, class... A>
struct MemberSignature<R (C::*)(A...) const> : Signature<R, A...> {};
template <class R, class C, class... A>
struct MemberSignature<R (C::*)(A...) const noexcept> : Signature<R, A...> {};

template <class F>
concept IsCallObject = requires { &F::operator(); };
template <class R, class... A>
struct SignatureOf<R (*)(A...)> : detail::Signature<R, A...> {};
template <class R, class... A>
struct SignatureOf<R (*)(A...) noexcept> : detail::Signature<R, A...> {};
template <detail::IsCallObject F>
struct SignatureOf<F> : detail::MemberSignature<decltype(&F::operator())> {};

} // namespace kaon::detail
